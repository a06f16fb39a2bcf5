// Line-by-line diff of a program and its edited version, by a longest common subsequence.

import { codeLine } from "./code";
import { h } from "./dom";

type Sign = " " | "-" | "+";

export interface Change {
  sign: Sign;
  text: string;
}

const MAX_TABLE_CELLS = 1_000_000; // lines of one program times lines of the other
const CONTEXT_LINES = 2; // unchanged lines that are shown before and after a change

/** The lines of both programs, in order: unchanged, removed, added. */
export function diffLines(before: string, after: string): Change[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept = (lines: readonly string[]): Change[] => lines.map((text) => ({ sign: " ", text }));
  const middle = compared(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...kept(old.slice(0, start)), ...middle, ...kept(old.slice(old.length - end))];
}

function compared(old: readonly string[], now: readonly string[]): Change[] {
  const width = now.length + 1;
  if (old.length * now.length > MAX_TABLE_CELLS) return [...old.map((text): Change => ({ sign: "-", text })), ...now.map((text): Change => ({ sign: "+", text }))];
  const common = new Uint16Array((old.length + 1) * width); // number of common lines after each pair of positions
  const at = (i: number, j: number): number => common[i * width + j] as number;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const found: Change[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ sign: " ", text: old[i++] as string });
      j++;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) found.push({ sign: "-", text: old[i++] as string });
    else found.push({ sign: "+", text: now[j++] as string });
  }
  return found;
}

/** The changed lines with some lines of context; a row of dots stands for lines that are left out. */
export function differenceBlock(changes: readonly Change[], name = "What you changed"): HTMLElement {
  const near = changes.map((_, at) => changes.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ sign }) => sign !== " "));
  const block = h("div", "code diff");
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", name);
  changes.forEach((change, at) => {
    if (near[at] === true) block.append(row(change));
    else if (near[at - 1] !== false) block.append(h("div", "line left-out", h("span", "sign", "\u2026")));
  });
  return block;
}

const NAMES: Record<Sign, string> = { " ": "", "-": "removed: ", "+": "added: " };
const LOOKS: Record<Sign, string> = { " ": "line", "-": "line taken-out", "+": "line put-in" };

function row({ sign, text }: Change): HTMLElement {
  const mark = h("span", "sign", sign === "-" ? "\u2212" : sign);
  mark.setAttribute("aria-hidden", "true");
  return h("div", LOOKS[sign], mark, h("span", "spoken", NAMES[sign]), codeLine(text));
}
