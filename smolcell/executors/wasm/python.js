// Python in WebAssembly, with the worker package in it: fresh, or from a snapshot of its memory.

import { loadPyodide } from "../node_modules/pyodide/pyodide.mjs";

const ARCHIVE = "/lib/smolcell_worker.zip";
const IMPORTED = `
import sys
sys.path.insert(0, ${JSON.stringify(ARCHIVE)})
import smolcell_worker.wasm
`;

/** Python that has imported the worker, to be made a snapshot of. */
export async function fresh(archive) {
  const python = await loadPyodide({ _makeSnapshot: true, jsglobals: Object.create(null) });
  place(python, archive);
  python.runPython(IMPORTED);
  return python;
}

/** The same out of its snapshot. */
export async function restored(snapshot, archive) {
  const python = await loadPyodide({ _loadSnapshot: snapshot, jsglobals: Object.create(null) });
  place(python, archive);
  return python;
}

function place(python, archive) {
  python.FS.writeFile(ARCHIVE, archive); // files are no part of a snapshot
}
