// The thread that runs code: Python in WebAssembly, and the worker's link over shared memory.
//
// The rules this file exists to keep:
//
// * Before code runs, the names by which JavaScript reaches beyond this thread are gone. Depth, not a wall: the wall is
//   what Deno was granted.
// * Once code runs this thread never returns to its event loop: no promise resolves any more.
// * Files live in memory, and what they may take is bounded.

import { bound } from "./disk.js";
import { restored } from "./python.js";
import { Ring } from "./ring.js";

const PACKAGES = "/lib/python3.14/site-packages";
const HEAD = 4; // bytes of a record's length

self.onmessage = async ({ data }) => {
  self.onmessage = null;
  const tell = self.postMessage.bind(self);
  try {
    await serve(data);
    tell("the code's thread has ended");
  } catch (error) {
    tell(`the code's thread has ended: ${error}`);
  }
};

async function serve({ input, output, printed, interrupt, snapshot, archive, wheels }) {
  const [from, to, text] = [input, output, printed].map((buffer) => new Ring(buffer));
  const python = await restored(Deno.readFileSync(snapshot), Deno.readFileSync(archive));
  if (wheels) unpack(python, wheels);
  bound(python.FS);
  python.setStdout({ write: (bytes) => (text.writeSync(bytes), bytes.length) });
  python.setStderr({ write: (bytes) => (text.writeSync(bytes), bytes.length) });
  python.setInterruptBuffer(interrupt);
  const run = python.pyimport("smolcell_worker.wasm").main;
  python.runPython("import os; os.urandom(1)"); // what JavaScript loads for it is loaded now
  leave();
  run(
    (bytes) => write(to, bytes),
    (bytes) => write(text, bytes),
    (milliseconds) => receive(from, milliseconds),
  );
}

/** Write what Python's buffer holds. */
function write(ring, bytes) {
  const view = bytes.getBuffer("u8");
  try {
    ring.writeSync(view.data);
  } finally {
    view.release();
  }
}

/** A whole record without its length, or undefined (Python's None) when none has come in time. */
function receive(ring, milliseconds) {
  if (!ring.waitSync(HEAD, milliseconds)) return undefined;
  const size = new DataView(ring.peek(HEAD).buffer).getUint32(0);
  if (!ring.waitSync(HEAD + size, milliseconds)) return undefined;
  return ring.take(HEAD + size).subarray(HEAD);
}

function unpack(python, folder) {
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.name.endsWith(".whl")) {
      python.unpackArchive(Deno.readFileSync(`${folder}/${entry.name}`), "zip", { extractDir: PACKAGES });
    }
  }
}

function leave() {
  for (const name of ["Deno", "Worker", "fetch", "WebSocket", "EventSource", "BroadcastChannel", "caches", "postMessage", "close", "process", "Buffer"]) {
    delete globalThis[name];
  }
}
