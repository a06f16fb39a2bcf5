// What a person reads must be what is there: characters that show nothing, or that move others, are shown as escapes.

/** Every control, format, private, unassigned and surrogate character, odd spaces, and letters that look like nothing. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;

/** In prose an emoji may be made of several characters, joined by ones that show nothing. */
const JOINED = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;

export interface Piece {
  text: string;
  hidden: boolean;
}

/** Splits one line into what is seen and what is not; the latter as escapes. */
export function pieces(line: string, prose = false): Piece[] {
  const found: Piece[] = [];
  let seen = "";
  for (const char of line) {
    if (!UNSEEN.test(char) || (prose && harmless(char, seen))) {
      seen += char;
      continue;
    }
    if (seen !== "") found.push({ text: seen, hidden: false });
    found.push({ text: escaped(char), hidden: true });
    seen = "";
  }
  if (seen !== "") found.push({ text: seen, hidden: false });
  return found;
}

function harmless(char: string, before: string): boolean {
  if (char === "\n" || char === "\t" || char === "\u00a0") return true;
  return (char === "\u200d" || char === "\ufe0f") && JOINED.test(before.replace(/\ufe0f$/u, ""));
}

/** A tab, in code. */
export const TAB = "\\t";

/** The escape of one character, written as `smolcell/visible.py` writes it. */
export function escaped(char: string): string {
  return char === "\t" ? TAB : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Prose with everything unseen as escapes, as one string. */
export function readable(text: string): string {
  return pieces(text.replaceAll("\r\n", "\n"), true)
    .map((piece) => piece.text)
    .join("");
}

/** Printed text: colours dropped, a line that was written over shows its last state, the rest as escapes. */
export function printed(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(/\x1b\[[0-9;:]*m/g, "");
  const lines = plain.includes("\r") ? plain.split("\n").map(overwritten) : [plain];
  return readable(lines.join("\n"));
}

function overwritten(line: string): string {
  return line.split("\r").findLast((part) => part !== "") ?? "";
}
