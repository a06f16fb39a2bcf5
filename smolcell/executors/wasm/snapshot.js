// Writes a snapshot of Python's memory, with the worker imported, to stdout:  deno run … snapshot.js ARCHIVE

import { fresh } from "./python.js";

const python = await fresh(Deno.readFileSync(Deno.args[0]));
let bytes = python.makeMemorySnapshot();
while (bytes.length) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
Deno.exit(0);
