// SPDX-License-Identifier: GPL-3.0-or-later
// Python's library compiled, from a zip file on standard input to one on standard output, by the Python that loads it: a
// browser would compile it anew at each start, which takes more than half of that. Hashes have one seed, so that sets have
// one order, and no docstring is kept.
import {loadPyodide} from "pyodide";

const python = await loadPyodide({env: {PYTHONHASHSEED: "0"}}), pieces = [];
for await (const piece of process.stdin) pieces.push(piece);
python.FS.writeFile("/sources.zip", new Uint8Array(Buffer.concat(pieces)));
python.runPython(`
from importlib._bootstrap_external import _code_to_hash_pyc as packed
from zipfile import ZipFile

with ZipFile("/sources.zip") as sources, ZipFile("/compiled.zip", "w") as target:
    for each in sources.infolist():
        data = sources.read(each)
        if each.filename.endswith(".py"):
            data = packed(compile(data, each.filename, "exec", dont_inherit=True, optimize=2), bytes(8), False)
            each.filename += "c"
        target.writestr(each, bytes(data))
`);
process.stdout.write(python.FS.readFile("/compiled.zip"));
