// The page's own scripts, run under node with as much of a document as they touch.  Prints one line for each check.
import assert from "node:assert/strict";
import {pathToFileURL} from "node:url";

const nodes = all => all.map(each => each instanceof Node ? each : String(each));
class Node {
  constructor(name) { Object.assign(this, {name, children: [], handlers: {}, classes: new Set(), dataset: {}, hidden: false, text: ""}); }
  get textContent() { return this.text + this.children.map(each => typeof each === "string" ? each : each.textContent).join(""); }
  set textContent(text) { this.children = []; this.text = text; }
  get firstChild() { return this.children[0]; }
  get classList() { return {toggle: (name, on) => on ? this.classes.add(name) : this.classes.delete(name)}; }
  append(...more) { this.children.push(...nodes(more)); }
  prepend(...more) { this.children.unshift(...nodes(more)); }
  appendChild(one) { this.children.push(one); return one; }
  replaceWith(one) { this.children = [one]; }  // close enough: what it holds is the same
  replaceChildren(...more) { this.text = ""; this.children = nodes(more); }
  addEventListener(kind, act) { this.handlers[kind] = act; }
  setAttribute(name, value) { this[name] = value; }
  get all() { return this.children.flatMap(each => typeof each === "string" ? [] : [each, ...each.all]); }
  querySelectorAll(what) { return what === "[data-place]" ? this.all.filter(each => each.dataset.place) : this.all.filter(each => each.name === what); }
  querySelector(what) { return this.querySelectorAll(what)[0]; }
  showModal() { this.open = true; }
  close() { this.open = false; }
}
const byId = {};
globalThis.document = {
  getElementById: id => byId[id] ??= new Node("div"),
  createElement: name => new Node(name),
  head: {append: link => link.onload()}, documentElement: {}, activeElement: null, hidden: true, title: "",
};
globalThis.window = globalThis;
globalThis.location = {port: "1", hash: ""};
globalThis.sessionStorage = {getItem: () => "key", setItem() {}};
globalThis.addEventListener = () => {};
globalThis.setInterval = () => {};  // no clock here
const told = [], sent = [];
globalThis.Notification = class { static permission = "granted"; constructor(title, about) { told.push(about.body); } };

let feed;
globalThis.fetch = async (path, {body}) => {
  if (path === "/state") return {status: 200, body: new ReadableStream({start(all) { feed = state => all.enqueue(new TextEncoder().encode(JSON.stringify(state) + "\n")); }})};
  sent.push(JSON.parse(body));
  return {json: async () => ({ok: true, groups: [], lines: []})};
};
const settled = () => new Promise(done => setTimeout(done, 20));
const pick = (title, places = [], more = {}) => ({text: title, title, hint: "", price: [], aside: false, places, ...more});
const ask = (options, more = {}) => ({text: "What?", before: [], so_far: "", hold: false, options, amounts: [], groups: [], refused: [], ...more});
let step = 0;
async function show(view, more = {}) {
  const whole = {step: ++step, game: "rex", status: "", seats: [], waiting: [], stopped: [], question: null, lobby: null, votes: [], held: [], orders: [], ask: null, parts: [], picked: [], titles: [], sendable: false,
    seen: 3, log_from: 0, log: [], chat_from: 0, chat: [], ...view};
  feed({view: whole, lines: [], over: false, left: false, fight: [], pictures: [], ...more});
  await settled();
}
const buttons = () => byId.ask.all.filter(each => each.name === "button");
const click = async text => { buttons().find(each => each.textContent.includes(text)).onclick(); await settled(); return sent.at(-1); };

const {now} = await import(pathToFileURL(process.argv[2] + "/common.js"));
const page = import(pathToFileURL(process.argv[2] + "/page.js"));
await settled();
const {choose} = await import(pathToFileURL(process.argv[2] + "/ask.js"));
const {fits, shown} = await import(pathToFileURL(process.argv[2] + "/map.js"));

const checks = {
  async "an option is a button that sends its index and the step"() {
    await show({ask: ask([pick("Build"), pick("Pass")])}, {words: {"my-turn": "Your turn"}, language: "en"});
    assert.deepEqual(await click("Pass"), {act: "pick", step, option: 1});
  },
  async "my turn is told once by the title and the browser"() {
    told.length = 0;
    await show({});
    assert.equal(document.title, "starlock");
    await show({ask: ask([pick("Build")])});
    await show({ask: ask([pick("Build")], {text: "And now?"})});
    assert.deepEqual(told, ["What?"]);
    assert.match(document.title, /^●/);
  },
  async "clicks on the map narrow the options until one is left"() {
    await show({ask: ask([pick("move 1 2", ["1", "2"]), pick("move 1 3", ["1", "3"]), pick("move 4 2", ["4", "2"])])});
    const before = sent.length;
    choose("1");
    assert.deepEqual(fits.taken, ["1"]);
    assert.equal(sent.length, before);
    choose("3");
    await settled();
    assert.deepEqual(sent.at(-1), {act: "pick", step, option: 1});
  },
  async "several options on one space are listed, and none is picked by itself"() {
    await show({ask: ask([pick("build a", ["1"]), pick("build b", ["1"])])});
    const before = sent.length;
    await choose("1");
    assert.equal(byId.which.open, true);
    assert.equal(sent.length, before);
    byId.which.close();
  },
  async "a new question forgets what was chosen on the map"() {
    choose("1");
    await show({ask: ask([pick("x", ["1", "2"]), pick("y", ["1", "3"])])});
    assert.deepEqual(fits.taken, []);
  },
  async "options of a sheet are not listed again"() {
    const cells = [{text: "Slot", note: "", look: "", share: null, picks: [{option: 0, text: "Put", note: ""}]}];
    await show({ask: ask([pick("put"), pick("pass")], {groups: [{title: "Ship", note: "", look: "", cells}]})});
    while (!buttons().some(each => each.className === "cell")) await settled();
    assert.deepEqual(buttons().filter(each => each.className !== "cell").map(each => each.textContent), ["pass"]);
    assert.deepEqual(await click("Slot"), {act: "pick", step, option: 0});
  },
  async "every option can be picked by a button, wherever it stands"() {
    const cell = (text, ...picks) => ({text, note: "", look: "", share: null, picks: picks.map(option => ({option, text: `pick ${option}`, note: ""}))});
    const group = (...cells) => ({title: "", note: "", look: "", cells}), all = Array.from({length: 20}, (_, at) => pick(`Option ${at}`, [], {aside: at > 17}));
    await show({ask: ask(all, {groups: [group(cell("one", 0), cell("two", 1, 2)), group(cell("besides", 19))], amounts: [{numbers: [4, 5], options: [3, 4]}]})});
    while (!buttons().some(each => each.textContent.includes("besides")) || !buttons().some(each => each.textContent === "+")) await settled();
    const picked = new Set();
    for (let more = 0; more < 2; more++) {
      for (const each of buttons()) {
        each.onclick();
        await settled();
        if (sent.at(-1).act === "pick") picked.add(sent.at(-1).option);
      }
    }
    assert.deepEqual([...picked].sort((a, b) => a - b), all.map((_, at) => at));
  },
  async "the map is reached by keys, and shows what is new and what can be chosen"() {
    const space = (place, x) => Object.assign(new Node("g"), {dataset: {place}, getBoundingClientRect: () => ({x, y: 0, width: 2, height: 2}), focus() { focused = place; }, closest() { return this; }});
    let focused = "";
    const [left, right] = byId.map.children = [space("1", 0), space("2", 10)], press = (key, target) => byId.map.handlers.keydown({key, target, preventDefault() {}});
    await import(pathToFileURL(process.argv[2] + "/gestures.js"));
    await show({ask: ask([pick("move 1 2", ["1", "2"]), pick("move 1 3", ["1", "3"])]), log: [{height: 9, text: "", event: "", seats: [], undone: false, places: ["2"]}]});
    assert.deepEqual([left, right].map(each => [...each.classes]), [["legal"], ["news"]]);
    press("ArrowRight", left);
    assert.equal(focused, "2");
    press("Enter", left);
    assert.deepEqual(fits.taken, ["1"]);
    press("Escape", left);
    assert.deepEqual(fits.taken, []);
    Object.assign(shown, {box: [0, 0, 100, 100]});
    press("+", left);
    assert.deepEqual(shown.box, [10, 10, 80, 80]);
    byId.map.children = [];
    shown.box = undefined;
  },
  async "a number is set before it is picked"() {
    await show({ask: ask([pick("Bid 0"), pick("Bid 1"), pick("Bid 2")], {amounts: [{numbers: [0, 1, 2], options: [0, 1, 2]}]})});
    while (!buttons().some(each => each.textContent === "+")) await settled();
    buttons().find(each => each.textContent === "+").onclick();
    assert.deepEqual(await click("Bid 1"), {act: "pick", step, option: 1});
  },
  async "a part of an answer is picked anew by its index"() {
    await show({parts: [{text: "Dial", titles: ["0", "1"], chosen: 0}], picked: ["1"], titles: ["1"], sendable: true});
    while (!byId.ask.querySelector("select")) await settled();
    byId.ask.querySelector("select").onchange({target: {selectedIndex: 1}});
    await settled();
    assert.deepEqual(sent.at(-1), {act: "part", step, part: 0, option: 1});
  },
  async "what was told since my last move is marked, and a log that went back is cut"() {
    const line = (height, text) => ({height, text, event: "", seats: [], undone: false, places: []});
    await show({log: [line(1, "old"), line(5, "new")]});
    assert.deepEqual(byId.sheet.children.map(each => each.className.includes("since")), [false, true]);
    await show({log_from: 1, log: [line(4, "other")]});
    assert.equal(byId.sheet.textContent, "oldother");
  },
  async "text of others is text"() {
    await show({chat: [{name: "<b>Eve</b>", text: "<script>"}], log: [{height: 1, text: "<img src=x>", event: "", seats: [], undone: false, places: []}]});
    assert.equal(byId.sheet.all.every(each => each.name === "p"), true);
    assert.match(byId.sheet.textContent, /<img src=x>/);
  },
  async "the lobby shows a player by name, and a spectator, who has none, by the words"() {
    const one = more => ({seat: 0, name: "", words: "", link: "", rtt: null, ready: true, mine: false, bot: false, wish: "", ...more});
    const lobby = {game: "rex", seats: 1, options: [], names: [], free: null, ticket: "", nearby: [],
      places: [one({name: "Ann"})], watching: [one({seat: -1, words: "oak sea"}), one({seat: -1, words: "fox ice"})]};
    await show({lobby}, {words: {watching: "Watching"}});
    while (!byId.lobby?.firstChild) await settled();
    assert.match(byId.lobby.textContent, /A Ann .*Watching: oak sea, fox ice/);
  },
};
for (const [name, check] of Object.entries(checks)) { await check(); console.log(name); }
process.exit(0);
