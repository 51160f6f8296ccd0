// What all parts of the page share.
export const $ = id => document.getElementById(id);
export const now = {words: {}, log: [], chat: [], pictures: []};
let key = sessionStorage.getItem("key" + location.port);
export const hold = given => sessionStorage.setItem("key" + location.port, key = given);

export const el = (name, props = {}, ...children) => {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children);
  return made;
};
export const button = (text, act, props = {}, ...more) => el("button", {type: "button", onclick: act, ...props}, text, ...more);
export const hint = text => el("span", {className: "hint"}, text);
export const runs = lines => el("pre", {tabIndex: 0}, ...lines.flatMap(line => [...line.map(([style, text]) => el("span", {className: style}, text)), "\n"]));
export const post = (path, body) => fetch(path, {method: "POST", headers: {"X-Starlock": key ?? ""}, body});
export const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
const drawn = {};
// True if what a part of the page is drawn from is not what it was drawn from before.
export const fresh = (part, ...from) => drawn[part] !== (drawn[part] = JSON.stringify(from));
export const say = text => $("lines").append(el("p", {className: "price"}, text));

export async function act(name, fields = {}) {
  try {
    const answer = await (await post("/do", JSON.stringify({act: name, step: now.view.step, ...fields}))).json();
    if (!answer.ok) say(answer.text);
    return answer;
  } catch { say(now.words.lost ?? "?"); }
}

// What a script draws that is loaded when it is needed.
const loaded = {};
export function later(file, draw) {
  if (loaded[file]) return draw(loaded[file]);
  const holder = el("div");
  import(file).then(module => { loaded[file] = module; holder.replaceWith(draw(module)); });
  return holder;
}
