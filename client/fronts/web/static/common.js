// What all parts of the page share: the state, requests to the own peer, and the markup that it sends.
export const $ = id => document.getElementById(id);
export const now = {words: {}, taken: []};
let key = sessionStorage.getItem("key" + location.port), last;
export const hold = given => sessionStorage.setItem("key" + location.port, key = given);
export const post = (path, body) => fetch(path, {method: "POST", headers: {"X-Starlock": key ?? ""}, body});
export const say = text => { $("said").textContent = text ?? ""; };
export const lost = () => say(now.ended ? now.words.closed : now.words.lost);

// Asks the peer for something, in turn.
export function act(name, fields = {}) {
  const body = JSON.stringify({act: name, step: now.view.step, html: true, ...fields});
  return last = Promise.resolve(last).then(async () => {
    try {
      const got = await post("/do", body), answer = got.ok ? await got.json() : {text: await got.text()};
      if (!answer.ok) say(answer.text);
      draw(answer.html);
      return answer;
    } catch { lost(); }
  });
}

// An action that the markup names.
export const carry = text => act("", JSON.parse(text));

const given = {createHTML: text => text}, policy = window.trustedTypes?.createPolicy("starlock", given) ?? given;
// Puts markup of the own peer into an element.
export const put = (holder, html) => { holder.innerHTML = policy.createHTML(html); return holder; };
// Changes elements, by their ids, to markup. What stays keeps focus, text and scroll.
export function draw(html) {
  for (const id in html) morph($(id), put($(id).cloneNode(false), html[id]));
  unfold();
}
const met = new WeakSet();
// Opens the blocks that have room, the lightest first; from then on the person opens and shuts them.
function unfold() {
  const fresh = [...document.querySelectorAll("details[data-weight]")].filter(each => !met.has(each));
  for (const each of fresh.sort((a, b) => a.dataset.weight - b.dataset.weight)) {
    const holder = each.closest("#sheet, #side, main");
    met.add(each);
    each.open = true;
    each.open = holder.scrollHeight <= Math.min(holder.clientHeight, innerHeight);
  }
}
function morph(old, made) {
  if (["nodeName", "id", "title"].some(each => old[each] !== made[each])) return old.replaceWith(made);
  if (old.nodeType === Node.TEXT_NODE) { if (old.data !== made.data) old.data = made.data; return; }
  const typed = old.defaultValue !== made.defaultValue, {value, selectedIndex} = made;
  for (const {name} of [...old.attributes]) if (!made.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const {name, value} of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const before = [...old.childNodes], after = [...made.childNodes];
  after.forEach((node, at) => before[at] ? morph(before[at], node) : old.append(node));
  for (const node of before.slice(after.length)) node.remove();
  if (typed) old.value = value;
  if (old.nodeName === "SELECT") old.selectedIndex = selectedIndex;
  if (old.type === "radio") old.checked = made.checked;
}
