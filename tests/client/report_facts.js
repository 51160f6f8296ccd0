// Draws a report page outside of a browser, as it is and with each of its facts altered: node report_facts.js PAGE CHANGES.
// Writes one line of JSON for each: its path, the verdict and its code, where the words that differ come from, and how
// many marks stand where words of another source are.
// CHANGES: a number, so many of each list are altered, or a list of paths and what stands there then.
"use strict";
const {readFileSync} = require("node:fs");
const {runInThisContext} = require("node:vm");
const {deflateSync, inflateSync} = require("node:zlib");

const [path, given] = process.argv.slice(2), changes = JSON.parse(given), most = changes, html = readFileSync(path, "utf-8");
const part = id => new RegExp(`<script type="[a-z/]+" id="${id}">([^]*?)</script>`).exec(html)[1];
const script = /<script>([^]*?)<\/script>\s*<\/body>/.exec(html)[1], data = JSON.parse(part("data"));
const checks = runInThisContext(`(() => { ${/^function checks\(\) \{\n([^]*?)\n\} \/\/ checks$/m.exec(script)[1]}; return {checkGame, CHECKS}; })()`);
process.on("unhandledRejection", error => { if (process.env.WHY) console.error(error); }); // a page that cannot draw what it was told draws the rest

// A document -----------------------------------------------------------------------------------------------------------

class Node {
  constructor(tag) {
    const shown = {className: "", title: "", href: "", value: "", alt: "", src: "", ariaLabel: "", ariaHidden: "", role: "", hidden: false, open: false};
    Object.assign(this, shown, {tag, children: [], attributes: {}, dataset: {}, parentElement: null, nodeName: tag, localName: tag});
    this.classList = {add() {}, remove() {}, [Symbol.iterator]: () => this.className.split(" ").values()};
  }

  set innerHTML(text) {
    this.ids = new Map();
    parse(text, this, this.ids);
  }

  append(...children) {
    for (const child of children) {
      if (child instanceof Node) child.parentElement = this;
      this.children.push(child);
    }
  }

  prepend(...children) { this.children.unshift(...children); }
  replaceChildren(...children) { this.children = []; this.append(...children); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  removeAttribute(name) { delete this.attributes[name]; }
  getAttributeNames() { return Object.keys(this.attributes); }
  hasAttribute(name) { return name in this.attributes; }
  getAttribute(name) { return this.attributes[name]; }
  get childNodes() { return this.children; }
  set textContent(text) { this.replaceChildren(text); }
  get textContent() { return this.children.map(child => child instanceof Node ? child.textContent : String(child)).join(""); }
}

const OPEN = ["meta", "input", "img"], SPELT = {lt: "<", gt: ">", amp: "&", quot: '"'};

// Fills a node with what a text says, and notes who has which id.
function parse(text, root, ids) {
  let at = root;
  for (const [, data, closing, tag, words] of text.matchAll(/([^<]*)(?:<(\/?)(\w+)([^>]*)>|$)/g)) {
    const said = data.replace(/&(\w+);/g, (_, name) => SPELT[name]);
    if (said.trim()) at.append({nodeName: "#text", data: said, toString: () => said});
    if (closing) at = at.parentElement;
    else if (tag) {
      const node = new Node(tag), id = /id="([^"]*)"/.exec(words)?.[1];
      at.append(node);
      node.className = /class="([^"]*)"/.exec(words)?.[1] ?? "";
      if (id) {
        node.id = id;
        ids.set(id, node);
      }
      if (!OPEN.includes(tag)) at = node;
    }
  }
}

// What is drawn, by where it says to come from.
function drawn(node, source, found) {
  const {tag, id, children, dataset, parentElement, classList, open, nodeName, localName, ...shown} = node, from = dataset.from ?? source;
  found[from] ??= [];
  found[from].push(JSON.stringify(shown));
  for (const child of children) child instanceof Node ? drawn(child, from, found) : found[from].push(String(child));
  return found;
}

// How many marks of a source stand among words of another one, or are none of the page's own.
function imitated(node, source, legend = false) {
  const from = node.dataset.from ?? source, inLegend = legend || node.id === "legend", words = node.className.split(/\s+/);
  const false_ = words.includes("from") && !inLegend && !(node.tag === "small" && words.length === 2 && words[1] === from);
  return node.children.filter(child => child instanceof Node).reduce((sum, child) => sum + imitated(child, from, inLegend), false_ ? 1 : 0);
}

// Who checks what nothing waits for: the same thing once, since the saved game is always the same.
const known = new Map(), plain = (_, value) => value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
const helpers = {check(kind, all) {
  const key = kind + JSON.stringify(all, plain);
  if (!known.has(key)) known.set(key, checks.CHECKS[kind](all));
  return known.get(key);
}};
const reports = new Map();

// The drawn page with these facts.
async function page(facts) {
  const root = new Node("html"), ids = new Map();
  for (const [id, text] of [["data", JSON.stringify({...data, facts})], ["star", part("star")]]) {
    ids.set(id, new Node("script"));
    ids.get(id).textContent = text;
  }
  const document = {
    title: "", documentElement: root, querySelectorAll: () => [], readyState: "complete",
    getElementById: id => root.children.findLast(each => each.ids.has(id))?.ids.get(id) ?? ids.get(id),
    createElement: tag => new Node(tag), createElementNS: (_, tag) => new Node(tag),
  };
  const done = new Promise(resolve => { document.done = resolve; });
  class Worker {
    async postMessage({question, star, hints}) {
      if (star) this.star = star;
      if (!hints) return;
      const key = JSON.stringify(hints);
      if (!reports.has(key)) reports.set(key, await checks.checkGame(this.star, hints, () => {}, helpers).then(report => ({report}), error => ({failed: String(error)})));
      try {
        this.onmessage({data: {question, ...reports.get(key)}});
      } finally {
        setTimeout(document.done, 0, reports.get(key)); // what waits for the report goes on first
      }
    }
  }
  class DOMParser {
    parseFromString(text) {
      const body = new Node("body");
      parse(text, body, new Map());
      return {body};
    }
  }
  const MessageChannel = class { port1 = {}; port2 = {}; };
  const given = {document, Worker, DOMParser, MessageChannel, location: {hash: "", href: ""}, addEventListener() {}, history: {}, navigator: {}};
  new Function(...Object.keys(given), script)(...Object.values(given));
  const said = await done;
  const body = root.children[1];
  return {title: document.title, verdict: root.dataset.verified, said, drawn: drawn(body, "none", {}), imitated: imitated(body, "none")};
}

// Facts ----------------------------------------------------------------------------------------------------------------

// The paths of all facts: of each list as many as `most`, from all over it, and its length.
function* paths(value, path = []) {
  if (Array.isArray(value)) {
    const step = Math.max(1, Math.floor(value.length / most));
    for (let at = 0; at < value.length; at += step) yield* paths(value[at], [...path, at]);
    yield [...path, "length"];
  } else if (value !== null && typeof value === "object") {
    for (const name of Object.keys(value)) yield* paths(value[name], [...path, name]);
    if (!Object.keys(value).length) yield [...path, "0"];
  } else yield path;
}

const otherwise = value => typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : typeof value === "string" ? `${value}?` : 1;

function altered(facts, path) {
  const copy = structuredClone(facts), last = path.at(-1), owner = path.slice(0, -1).reduce((value, name) => value[name], copy);
  if (last !== "length" || !Array.isArray(owner)) owner[last] = otherwise(owner[last]);
  else if (owner.length) owner.pop();
  else owner.push([1, "invented"]);
  return copy;
}

const unpacked = facts => ({...facts, course: JSON.parse(inflateSync(Buffer.from(facts.course, "base64")))});
const packed = facts => ({...facts, course: deflateSync(JSON.stringify(facts.course)).toString("base64")});

// A byte of the records of what was asked, in each quarter of them.
function* toldAltered(facts) {
  const told = Buffer.from(facts.hints.told, "base64");
  for (let quarter = 0; quarter < 4; quarter++) {
    const other = Buffer.from(told);
    other[Math.floor(told.length * (quarter + 0.5) / 4)] ^= 1;
    yield [["hints", "told", quarter], {...facts, hints: {...facts.hints, told: other.toString("base64")}}];
  }
}

function* changed(facts) {
  for (const [names, value] of changes) {
    const copy = unpacked(structuredClone(facts)), path = names.split("."), last = path.at(-1);
    path.slice(0, -1).reduce((value, name) => value[name], copy)[last] = value;
    yield [path, packed(copy)];
  }
}

function* all(facts) {
  const open = unpacked(facts);
  for (const path of paths(open)) if (path.join() !== "hints,told") yield [path, packed(altered(open, path))];
  yield* toldAltered(facts);
}

(async () => {
  const usual = await page(data.facts);
  const line = (path, {verdict, said, drawn, imitated}) => {
    const places = new Set([...Object.keys(drawn), ...Object.keys(usual.drawn)]);
    const differ = [...places].filter(from => JSON.stringify(drawn[from]) !== JSON.stringify(usual.drawn[from]));
    console.log(JSON.stringify({path: path.join("."), verdict, code: said.report?.problem?.code ?? said.failed ?? null, differ, imitated}));
  };
  line([], usual);
  for (const [path, facts] of Array.isArray(changes) ? changed(data.facts) : all(data.facts)) line(path, await page(facts));
  console.log(JSON.stringify({title: usual.title, drawn: usual.drawn}));
})();
