// SPDX-License-Identifier: GPL-3.0-or-later
// Python in a worker, with starlock in it: {parts} starts it, {data, name, language} asks for a verdict and a drawing; what
// the other judge is told comes before the verdict.
"use strict";

const NOWHERE = "https://page.invalid/";
const HOME = "/lib/starlock";
const POINT = 32;
const [FIRST_ROOM, EVERY] = [1 << 16, 100];

// The files of the page, from gzip in base64: a list of [name, size] behind its length in four bytes, then their bytes.
async function unpacked(base64) {
  const text = atob(base64), packed = new Uint8Array(text.length), files = new Map();
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 4 + new DataView(data.buffer).getUint32(0);
  for (const [name, size] of JSON.parse(new TextDecoder().decode(data.subarray(4, at)))) files.set(name, data.subarray(at, at += size));
  return files;
}

const moduleOf = source => import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));

// libsodium, which Python calls: the number of an operation of `OPERATIONS` in browser.py, and the length of its
// arguments, which stand one after another where `share` was told; the result takes their place.
class Sodium {
  constructor(library, python) {
    Object.assign(this, {library, python, room: 0, from: 0, held: null, made: library._malloc(2 * POINT)});
    const {made} = this, one = () => this.room, other = () => this.room + POINT;
    this.operations = [
      () => library._crypto_core_ristretto255_is_valid_point(one()),
      () => library._crypto_core_ristretto255_from_hash(made, one()),
      () => library._crypto_core_ristretto255_add(made, one(), other()),
      () => library._crypto_core_ristretto255_sub(made, one(), other()),
      () => library._crypto_scalarmult_ristretto255(made, one(), other()),
      () => library._crypto_scalarmult_ristretto255_base(made, one()),
      length => library._crypto_sign_verify_detached(this.room, this.room + 96, length - 96, 0, this.room + 64),
      length => this.combination(length / (2 * POINT)),
    ];
  }

  share(room) {
    this.held?.release();
    if (this.room) this.library._free(this.room);
    this.held = room.getBuffer("u8");
    this.from = this.held.data.byteOffset; // as a number, since the array is lost when the memory grows
    this.room = this.library._malloc(this.held.data.length);
  }

  call(operation, length) {
    const {from} = this, memory = () => this.python._module.HEAPU8;
    this.library.HEAPU8.set(memory().subarray(from, from + length), this.room);
    const code = this.operations[operation](length);
    memory().set(this.library.HEAPU8.subarray(this.made, this.made + POINT), from);
    return code;
  }

  // The sum of products of `count` scalars and as many points behind them.
  combination(count) {
    const {library, made, room} = this, term = made + POINT, nothing = at => library.HEAPU8.subarray(at, at + POINT).every(byte => !byte);
    library.HEAPU8.fill(0, made, made + POINT);
    let code = 0, first = true;
    for (let at = 0; at < count; at++) {
      const number = room + POINT * at, point = room + POINT * (count + at);
      if (nothing(number) || nothing(point)) continue;
      code |= library._crypto_scalarmult_ristretto255(first ? made : term, number, point);
      if (!first) code |= library._crypto_core_ristretto255_add(made, made, term);
      first = false;
    }
    return code;
  }
}

async function started(base64) {
  const files = await unpacked(base64);
  globalThis.importScripts = undefined; // Pyodide refuses to start in a worker that has it
  globalThis.fetch = async what => {
    const body = files.get(String(what).replace(NOWHERE, ""));
    if (!body) throw new Error(`nothing is fetched: ${what}`);
    return new Response(body, {headers: {"Content-Type": "application/wasm"}});
  };
  const [{loadPyodide}, {default: createPyodideModule}, {default: library}] =
    await Promise.all(["pyodide.mjs", "pyodide.asm.mjs", "libsodium.mjs"].map(name => moduleOf(files.get(name))));
  const lockFileContents = JSON.parse(new TextDecoder().decode(files.get("lock.json")));
  const python = await loadPyodide({indexURL: NOWHERE, createPyodideModule, lockFileContents, stdLibURL: `${NOWHERE}python_stdlib.zip`});
  for (const [name, body] of files) {
    if (!name.startsWith("lib/")) continue;
    const path = `${HOME}/${name.slice(4)}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, body);
  }
  python.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${HOME}")`);
  const sodium = new Sodium(await library(), python);
  return python.pyimport("client.report.verifier.browser").begin((...all) => sodium.call(...all), room => sodium.share(room));
}

let page = null;
onmessage = async ({data: {question, parts, data, name, language}}) => {
  const answer = said => postMessage({question, ...said});
  let told = 0;
  const progress = (done, total, what) => { // nothing else is heard of this worker while Python works
    const now = Date.now();
    if (now - told < EVERY) return;
    told = now;
    answer({part: total ? done / total : 0, what});
  };
  try {
    if (parts) {
      page = await started(parts);
      return answer({ready: true});
    }
    answer({verdict: JSON.parse(page.verdict(data, name, language, progress, hints => answer({hints: JSON.parse(hints)})))});
    answer({drawn: JSON.parse(page.drawn())});
  } catch (error) {
    answer({failed: String(error).trim().split("\n").at(-1)});
  }
};
