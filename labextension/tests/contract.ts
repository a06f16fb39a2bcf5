// The runs, answers, images and characters that `tests/contract` and `tests/views/test_transcript.py` read, too.

import { readFileSync } from "node:fs";
import type { Delta, RunEvent } from "../src/core/events";
import type { RunState } from "../src/core/fold";

interface Run {
  name: string;
  events: RunEvent[];
  deltas: Delta[];
  state: RunState;
}

interface AnswerText {
  name: string;
  text: string;
  table: boolean;
  prose: boolean;
}

interface ProseText {
  name: string;
  text: string;
  html: string;
  formulas?: boolean;
}

interface ImageCase {
  name: string;
  mime: string;
  data: string;
  size: [number, number] | null;
  /** Why it is not shown; "": it is. */
  fault: string;
}

export const unseen = JSON.parse(readFileSync("../tests/contract/unseen.json", "utf-8")) as { unseen: [string, string][]; seen: string };
export const images = JSON.parse(readFileSync("../tests/contract/images.json", "utf-8")) as ImageCase[];
export const answers = JSON.parse(readFileSync("../tests/contract/answers.json", "utf-8")) as AnswerText[];
export const runs = JSON.parse(readFileSync("../tests/contract/events.json", "utf-8")) as Run[];
export const prose = JSON.parse(readFileSync("../tests/contract/markdown.json", "utf-8")) as ProseText[];
