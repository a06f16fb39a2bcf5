// The main thread of the WebAssembly sandbox: between the supervisor, which is another process, and the thread that runs code.
//
//     deno run … host.js SNAPSHOT ARCHIVE WHEELS    (WHEELS: a folder, or "")
//
// The rules this file exists to keep:
//
// * It runs no code of the agent and reads none of its bytes: they go from shared memory to a descriptor.
// * An empty record on stdin is an interrupt; every other goes to the code's thread.
// * When stdin ends, all ends; when the code's thread ends, all ends.

import { Ring } from "./ring.js";

const ROOM = 1 << 20;
const SIGINT = 2;
const FAILED = 70;
const rings = { input: Ring.make(ROOM), output: Ring.make(ROOM), printed: Ring.make(ROOM) };
const interrupt = new Uint8Array(new SharedArrayBuffer(1));

async function drain(ring, stream) {
  for (;;) {
    let bytes = await ring.read();
    while (bytes.length) bytes = bytes.subarray(await stream.write(bytes));
  }
}

async function feed() {
  const head = new Uint8Array(4);
  let seen = 0; // of the head
  let left = 0; // bytes of the record that are to come
  for await (const chunk of Deno.stdin.readable) {
    for (let at = 0; at < chunk.length;) {
      if (left) {
        const piece = chunk.subarray(at, at + left);
        await rings.input.write(piece);
        left -= piece.length;
        at += piece.length;
        continue;
      }
      head[seen++] = chunk[at++];
      if (seen < head.length) continue;
      seen = 0;
      left = new DataView(head.buffer).getUint32(0);
      if (left) await rings.input.write(head.slice());
      else interrupt[0] = SIGINT;
    }
  }
}

function fail(reason) {
  console.error(reason);
  Deno.exit(FAILED);
}

const [snapshot, archive, wheels] = Deno.args;
const worker = new Worker(new URL("./runner.js", import.meta.url), { type: "module" });
worker.onerror = (event) => {
  event.preventDefault();
  fail(event.message);
};
worker.onmessage = ({ data }) => fail(String(data).slice(0, 2000)); // it says why it ended
worker.postMessage({
  input: rings.input.buffer,
  output: rings.output.buffer,
  printed: rings.printed.buffer,
  interrupt,
  snapshot,
  archive,
  wheels,
});
drain(rings.output, Deno.stdout);
drain(rings.printed, Deno.stderr);
await feed();
Deno.exit(0);
