// The page's own scripts, run under node with as much of a document as they touch.  Prints one line for each check.
import assert from "node:assert/strict";
import {pathToFileURL} from "node:url";

// Elements, which understand the markup that the peer writes and the selectors that the scripts use.
const PIECE = /<(\/?)([\w-]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>|([^<]+)/g;
const VOID = ["input"], plain = text => text.replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&#x27;/g, "'").replace(/&amp;/g, "&");
class Text {
  constructor(data) { this.data = data; }
  get nodeName() { return "#text"; }
  get nodeType() { return 3; }
  get textContent() { return this.data; }
  cloneNode() { return new Text(this.data); }
}
class Element {
  constructor(name) { Object.assign(this, {nodeName: name.toUpperCase(), nodeType: 1, given: new Map(), childNodes: [], handlers: {}, parentNode: null}); }
  get attributes() { return [...this.given].map(([name, value]) => ({name, value})); }
  get dataset() { return new Proxy(this.given, {get: (given, name) => given.get(`data-${name}`)}); }
  get id() { return this.given.get("id") ?? ""; }
  get type() { return this.given.get("type"); }
  get name() { return this.given.get("name") ?? ""; }
  get title() { return this.given.get("title") ?? ""; }
  get hidden() { return this.given.has("hidden"); }
  set hidden(on) { if (on) this.given.set("hidden", ""); else this.given.delete("hidden"); }
  get defaultValue() { return this.nodeName === "INPUT" ? this.given.get("value") ?? "" : undefined; }
  get value() { return this.typed ?? this.defaultValue; }
  set value(value) { this.typed = String(value); }
  get children() { return this.childNodes.filter(each => each.nodeType === 1); }
  get firstElementChild() { return this.children[0]; }
  get textContent() { return this.childNodes.map(each => each.textContent).join(""); }
  set textContent(text) { this.replaceChildren(new Text(text)); }
  get classList() { return {toggle: (name, on) => (this.classes ??= new Set())[on ? "add" : "delete"](name)}; }
  get all() { return this.children.flatMap(each => [each, ...each.all]); }
  setAttribute(name, value) { this.given.set(name, String(value)); }
  getAttribute(name) { return this.given.get(name) ?? null; }
  hasAttribute(name) { return this.given.has(name); }
  toggleAttribute(name) { if (!this.given.delete(name)) this.given.set(name, ""); }
  removeAttribute(name) { this.given.delete(name); }
  append(...more) { for (const each of more) { each.parentNode = this; this.childNodes.push(each); } }
  remove() { this.parentNode.childNodes = this.parentNode.childNodes.filter(each => each !== this); }
  replaceWith(one) { this.parentNode.childNodes = this.parentNode.childNodes.map(each => each === this ? one : each); one.parentNode = this.parentNode; }
  replaceChildren(...more) { this.childNodes = []; this.append(...more); }
  cloneNode(deep) {
    const made = Object.assign(new Element(this.nodeName), {given: new Map(this.given)});
    if (deep) made.append(...this.childNodes.map(each => each.cloneNode(true)));
    return made;
  }
  set innerHTML(html) {
    const open = [this];
    this.childNodes = [];
    for (const [, end, name, attributes, text] of html.matchAll(PIECE)) {
      if (text) open.at(-1).append(new Text(plain(text)));
      else if (end) open.pop();
      else {
        const made = new Element(name);
        for (const [, key, value] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) made.setAttribute(key, plain(value ?? ""));
        open.at(-1).append(made);
        if (!VOID.includes(name)) open.push(made);
      }
    }
  }
  matches(all) {
    return all.split(", ").some(one => {
      const [, name, id, style, key, value] = /^(\w+)?(?:#(\w+))?(?:\.(\w+))?(?:\[([\w-]+)(?:="?([^"\]]*)"?)?\])?$/.exec(one);
      return (!name || this.nodeName === name.toUpperCase()) && (!id || this.id === id) && (!key || this.given.has(key) && (value === undefined || this.given.get(key) === value))
        && (!style || (this.given.get("class") ?? "").split(" ").includes(style));
    });
  }
  closest(what) { return this.matches(what) ? this : this.parentNode?.closest?.(what) ?? null; }
  querySelectorAll(what) {
    const [within, inner] = what.includes("#") && what.includes(" ") ? what.split(" ") : [];
    if (inner) return this.all.filter(each => each.matches(within)).flatMap(each => each.querySelectorAll(inner));
    return this.all.filter(each => each.matches(what));
  }
  querySelector(what) { return this.querySelectorAll(what)[0] ?? null; }
  stepUp(by) { this.value = +this.value + by; }
  addEventListener(kind, act) { this.handlers[kind] = act; }
  dispatchEvent(event) { heard[event.type]({target: this, preventDefault() {}}); }
  showModal() { this.open = true; }
  close() { this.open = false; }
}
const body = new Element("body"), heard = {};
body.innerHTML = '<p id="said"></p><div id="lines"></div><div id="end"></div><div id="then"></div><div id="map"></div><div id="which"><div class="options"></div></div><div id="ask"></div><div id="tabs"></div>'
  + '<div id="sheet"><div id="log"></div><div id="chat"></div><div id="replay"><div id="heights"><input id="past" type="range" max="3"></div><div id="told"></div></div><div id="picture"></div></div>';
globalThis.Node = {TEXT_NODE: 3};
globalThis.document = {
  getElementById: id => body.all.find(each => each.id === id) ?? null, querySelectorAll: what => body.querySelectorAll(what),
  documentElement: {}, activeElement: null, hidden: true, title: "",
};
globalThis.window = globalThis;
globalThis.location = {port: "1", hash: ""};
globalThis.sessionStorage = {getItem: () => "key", setItem() {}};
globalThis.addEventListener = (kind, act) => { heard[kind] = act; };
globalThis.setInterval = () => {};  // no clock here
globalThis.Event = class { constructor(type) { this.type = type; } };
const told = [], sent = [];
globalThis.Notification = class { static permission = "granted"; constructor(title, about) { told.push(about.body); } };

let feed;
globalThis.fetch = async (path, {body}) => {
  if (path === "/state") return {ok: true, body: new ReadableStream({start(all) { feed = state => all.enqueue(new TextEncoder().encode(JSON.stringify(state) + "\n")); }})};
  const {html, ...asked} = JSON.parse(body);
  assert.equal(html, true, "the page asks for the answers of a page");
  sent.push(asked);
  return {ok: true, json: async () => ({ok: true, html: {picture: "<p>drawn</p>"}, options: [0]})};
};
const settled = () => new Promise(done => setTimeout(done, 20));
const $ = id => document.getElementById(id);
const pick = (title, places = []) => ({text: title, title, places});
const ask = (...options) => ({text: "What?", options});
// Markup of a question as the peer draws it.
const drawn = options => `<h2>What?</h2><div class="options" id="options">${options.map(({title}, at) => `<button title="${title}" data-option="${at}">${title}</button>`).join("")}</div>`;
let step = 0;
async function show(view, html = {}, more = {}) {
  const asked = view.ask ? {ask: drawn(view.ask.options), ...html} : {ask: "", ...html};
  feed({view: {step: ++step, question: null, ask: null, ...view}, html: asked, title: "starlock", news: [], over: false, ...more});
  await settled();
}
const click = async (made, detail = 1) => { heard.click({target: made, detail}); await settled(); return sent.at(-1); };
const button = text => body.all.find(each => each.nodeName === "BUTTON" && each.textContent.includes(text));
const shownOptions = () => $("options").children.filter(each => !each.hidden).map(each => each.textContent);

const file = name => pathToFileURL(`${process.argv[2]}/${name}`);
const {now} = await import(file("common.js"));
await import(file("page.js"));
while (!feed) await settled();
const {choose} = await import(file("ask.js"));
const {shown} = await import(file("map.js"));

const checks = {
  async "an option is a button that sends its index and the step"() {
    await show({ask: ask(pick("Build"), pick("Pass"))}, {}, {words: {}, language: "en"});
    assert.deepEqual(await click(button("Pass")), {act: "pick", step, option: 1});
  },
  async "a double click answers one question, and takes two steps back"() {
    const reply = '<button name="reply" data-do="{&quot;act&quot;:&quot;reply&quot;,&quot;yes&quot;:true}">yes</button>';
    const undo = '<button name="undo" data-do="{&quot;act&quot;:&quot;undo&quot;}">Undo</button>';
    await show({question: "May Bob sit down?"}, {ask: reply + undo});
    const before = sent.length;
    await click(button("yes"));
    await show({question: "May Cid sit down?"}, {ask: reply + undo});
    await click(button("yes"), 2);
    assert.deepEqual(sent.slice(before), [{act: "reply", step: step - 1, yes: true}]);
    await click(button("Undo"));
    await click(button("Undo"), 2);
    assert.equal(sent.length, before + 3);
  },
  async "my turn is told once by the title and the browser"() {
    told.length = 0;
    await show({});
    await show({ask: ask(pick("Build"))}, {}, {title: "● starlock"});
    await show({ask: {...ask(pick("Build")), text: "And now?"}}, {}, {title: "● starlock"});
    assert.deepEqual(told, ["What?"]);
    assert.equal(document.title, "● starlock");
  },
  async "clicks on the map narrow the options until one is left"() {
    await show({ask: ask(pick("move 1 2", ["1", "2"]), pick("move 1 3", ["1", "3"]), pick("move 4 2", ["4", "2"]))});
    const before = sent.length;
    choose("1");
    assert.deepEqual(now.taken, ["1"]);
    assert.deepEqual(shownOptions(), ["move 1 2", "move 1 3"]);
    assert.equal(sent.length, before);
    choose("3");
    await settled();
    assert.deepEqual(sent.at(-1), {act: "pick", step, option: 1});
  },
  async "several options on one space are listed, and none is picked by itself"() {
    await show({ask: ask(pick("build a", ["1"]), pick("build b", ["1"]))});
    const before = sent.length;
    choose("1");
    assert.equal($("which").open, true);
    assert.equal(sent.length, before);
    assert.deepEqual(await click($("which").querySelector(".options").children[1]), {act: "pick", step, option: 1});
    assert.equal($("which").open, false);
  },
  async "a new question forgets what was chosen on the map"() {
    now.taken = ["1"];
    await show({ask: ask(pick("x", ["1", "2"]), pick("y", ["1", "3"]))});
    assert.deepEqual(now.taken, []);
  },
  async "a search leaves the options that it fits, until something else is asked"() {
    const options = [pick("Explore"), pick("Build")], list = drawn(options).replace(/(<button title="Build.*)<\/div>/, "<details>$1</details></div>");
    const search = {ask: '<input type="search" id="find">' + list}, group = () => $("options").querySelector("details");
    await show({ask: ask(...options)}, search);
    $("find").value = "expl";
    heard.input({target: $("find")});
    await settled();
    assert.deepEqual(sent.at(-1), {act: "search", step, text: "expl"});
    assert.deepEqual(shownOptions(), ["Explore"]);
    assert.equal(group().hidden, true);
    await show({ask: ask(...options), step: step--}, search);
    assert.deepEqual(shownOptions(), ["Explore"]);
    await show({ask: ask(...options)}, search);
    assert.deepEqual(shownOptions(), ["Explore", "Build"]);
  },
  async "what stays is the same element, with what was typed into it"() {
    await show({}, {chat: '<div></div><form id="say"><input name="text"></form>'});
    const field = $("chat").querySelector("input");
    field.value = "hel";
    await show({}, {chat: '<div><p>Ann: hi</p></div><form id="say"><input name="text"></form>'});
    assert.equal($("chat").querySelector("input"), field);
    assert.equal(field.value, "hel");
    assert.equal($("chat").textContent, "Ann: hi");
  },
  async "what is told of an earlier position stays while the table goes on"() {
    await show({}, {told: "<p>Ann explores.</p>"});
    await show({}, {heights: '<input id="past" type="range" max="4">'});
    assert.equal($("told").textContent, "Ann explores.");
  },
  async "an end that was closed stays closed while the table lasts"() {
    await show({}, {end: '<button data-own="end">Board</button>'}, {over: true});
    assert.equal($("end").hidden, false);
    await click(button("Board"));
    await show({}, {}, {over: true});
    assert.equal($("end").hidden, true);
    await show({}, {end: ""});
    assert.equal($("end").hidden, false);
  },
  async "the map is reached by keys, and shows what is new and what can be chosen"() {
    let focused = "";
    const space = (place, x) => {
      const made = Object.assign(new Element("g"), {getBoundingClientRect: () => ({x, y: 0, width: 2, height: 2}), focus() { focused = place; }});
      made.setAttribute("data-place", place);
      return made;
    };
    const [left, right] = [space("1", 0), space("2", 10)], press = (key, target) => $("map").handlers.keydown({key, target, preventDefault() {}});
    $("map").replaceChildren(left, right);
    await show({ask: ask(pick("move 1 2", ["1", "2"]), pick("move 1 3", ["1", "3"]))}, {}, {news: ["2"]});
    assert.deepEqual([left, right].map(each => [...each.classes]), [["legal"], ["news"]]);
    press("ArrowRight", left);
    assert.equal(focused, "2");
    press("Enter", left);
    assert.deepEqual(now.taken, ["1"]);
    press("Escape", left);
    assert.deepEqual(now.taken, []);
    Object.assign(shown, {box: [0, 0, 100, 100]});
    press("+", left);
    assert.deepEqual(shown.box, [10, 10, 80, 80]);
    $("map").replaceChildren();
    shown.box = undefined;
  },
  async "a number is set before it is picked"() {
    const bids = [0, 1].map(n => `<button data-option="${n}">Bid ${n}</button>`).join("");
    await show({ask: ask(pick("Bid 0"), pick("Bid 1"))},
      {ask: `<div class="amount"><div><button data-own="less">-</button><input type="range" value="0"><button data-own="more">+</button></div><div class="options">${bids}</div></div>`});
    assert.deepEqual([button("Bid 0").hidden, button("Bid 1").hidden], [false, true]);
    await click(button("+"));
    assert.deepEqual([button("Bid 0").hidden, button("Bid 1").hidden], [true, false]);
  },
  async "an action in the markup is sent with the step, one after the other"() {
    await show({}, {ask: '<select><option data-do="{&quot;act&quot;:&quot;part&quot;,&quot;part&quot;:0,&quot;option&quot;:1}">1</option></select>'});
    const select = $("ask").firstElementChild;
    heard.change({target: Object.assign(select, {selectedOptions: select.children})});
    await settled();
    assert.deepEqual(sent.at(-1), {act: "part", step, part: 0, option: 1});
  },
  async "a tab that the peer draws is asked for, and shown alone"() {
    await show({}, {tabs: '<button data-tab="score">Points</button>'});
    await click(button("Points"));
    assert.deepEqual(sent.at(-1), {act: "tab", step, name: "score"});
    assert.equal($("picture").textContent, "drawn");
    assert.deepEqual($("sheet").children.map(each => each.hidden), [true, true, true, false]);
  },
  async "the lightest blocks that have room are open, until the person shuts or opens them"() {
    const holder = $("sheet"), block = (id, weight) => `<details id="log-${id}" data-weight="${weight}"><summary>${id}</summary></details>`;
    const opened = () => holder.all.filter(each => each.open).map(each => each.id);
    Object.assign(globalThis, {innerHeight: 25});
    Object.defineProperties(holder, {clientHeight: {value: 90}, scrollHeight: {get: () => 10 * opened().length}});
    await show({}, {log: block("A", 2) + block("B", 1) + block("C", 1)});
    assert.deepEqual(opened(), ["log-B", "log-C"]);
    $("log-B").open = false;
    await show({}, {log: block("A", 2) + block("B", 1) + block("C", 1) + block("D", 1)});
    assert.deepEqual(opened(), ["log-C", "log-D"]);
    await show({}, {log: ""});
  },
};
for (const [name, check] of Object.entries(checks)) { await check(); console.log(name); }
process.exit(0);
