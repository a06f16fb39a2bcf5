// The runs that `tests/contract/test_fold.py` reads, too.

import { readFileSync } from "node:fs";
import type { Delta, RunEvent } from "../src/events";
import type { RunState } from "../src/fold";

interface Run {
  name: string;
  events: RunEvent[];
  deltas: Delta[];
  state: RunState;
}

export const runs = JSON.parse(readFileSync("../tests/contract/events.json", "utf-8")) as Run[];
