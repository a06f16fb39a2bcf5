// Makes hidden characters visible: characters that show nothing, or that reorder others, are shown as escapes. Also formats figures.

import type { File, Usage } from "./events";

/** Every control, format, private, unassigned and surrogate character, odd spaces, and letters that look like nothing. The same as in `smolcell/core/text.py`. */
export const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u;

const EACH_INVISIBLE = new RegExp(INVISIBLE.source, "gu");

/** An emoji can consist of several characters, joined by invisible ones. */
const EMOJI_BEFORE = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;

export interface Piece {
  text: string;
  hidden: boolean;
}

/** Splits code into visible and hidden pieces; hidden ones as escapes. */
export function splitHidden(code: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of code.matchAll(EACH_INVISIBLE)) {
    if (match.index > at) found.push({ text: code.slice(at, match.index), hidden: false });
    found.push({ text: escapeChar(match[0]), hidden: true });
    at = match.index + match[0].length;
  }
  if (at < code.length) found.push({ text: code.slice(at), hidden: false });
  return found;
}

/** The escape of a tab. */
export const TAB = "\\t";

/** The escape of one character, as in `smolcell/core/text.py`. */
export function escapeChar(char: string): string {
  return char === "\t" ? TAB : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Prose with invisible characters as escapes. */
export function readable(text: string): string {
  const plain = text.replaceAll("\r\n", "\n");
  return plain.replace(EACH_INVISIBLE, (char: string, at: number) => (isHarmless(char, plain, at) ? char : escapeChar(char)));
}

function isHarmless(char: string, text: string, at: number): boolean {
  if (char === "\n" || char === "\t" || char === "\u00a0") return true;
  if (char !== "\u200d" && char !== "\ufe0f") return false;
  return EMOJI_BEFORE.test(text.slice(Math.max(0, at - 5), at).replace(/\ufe0f$/u, ""));
}

// --- figures -------------------------------------------------------------------------------------------------------------

export function seconds(value: number): string {
  if (value > 0 && value < 0.05) return "< 0.1 s";
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 60) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value) % 60} s`;
}

export function count(n: number, word: string): string {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}

export function tokens(usage: Usage): string {
  const all = usage.input_tokens + usage.output_tokens;
  return all === 0 ? "" : `${usage.input_tokens.toLocaleString("en")} + ${usage.output_tokens.toLocaleString("en")} tokens`;
}

export function cost(usage: Usage): string {
  if (usage.cost === null) return "";
  return `$${usage.cost < 0.01 ? usage.cost.toFixed(4) : usage.cost.toFixed(2)}`;
}

/** Tokens of the conversation, also as a share of the context window; `window` is 0 if it is unknown. */
export function contextText(used: number, window: number): string {
  const tokens = used.toLocaleString("en");
  if (window === 0) return `Context: ${tokens} tokens`;
  return `Context: ${tokens} of ${window.toLocaleString("en")} tokens (${Math.max(1, Math.round((100 * used) / window))} %)`;
}

export function bytes(size: number): string {
  if (size < 1000) return count(size, "byte");
  const power = Math.min(3, Math.floor(Math.log10(size) / 3));
  return `${(size / 1000 ** power).toPrecision(3)} ${["", "kB", "MB", "GB"][power]}`;
}

export function filesText(files: readonly File[]): string {
  return readable(files.map(({ name, size }) => `${name} (${bytes(size)})`).join(", "));
}

/** Joins the non-empty parts with dots. */
export function joinParts(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" \u00b7 ");
}
