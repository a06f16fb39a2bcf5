// Printed text with its colours, as nodes. Of the escape sequences of terminals only those that set a look are known
// (ECMA-48, SGR); every other control character is shown as an escape, as anywhere.
//
// The rules this file exists to keep:
// * No look hides text: there are eight colours, each of which can be read on the card; a background brings a text
//   colour of its own; concealed and blinking are not known.
// * What is there stays: text that grows is added to, but for its last line, which may be written over.
// * Bounded: after so many looks the rest has none.

import { StickToEnd, h } from "./dom";
import { readable } from "./text";

const MOST_LOOKS = 5000; // pieces with a look, in one box
const MOST_PARAMETERS = 64; // of one sequence
const MOST_NODE = 4000; // characters of a node of text that is added to

interface Look {
  colour: number | null;
  back: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const PLAIN: Look = { colour: null, back: null, bold: false, dim: false, italic: false, underline: false, inverse: false };

interface Piece {
  text: string;
  classes: string;
}

const SGR = /\x1b\[([0-9;:]*)m/g;
/** The beginning of a sequence whose end has not arrived. */
const UNFINISHED = /\x1b(\[[0-9;:]*)?$/;

/** A box of printed text. */
export class Printed {
  private shown = "";
  private done = 0; // of `shown`: up to here lines are whole
  private look = PLAIN; // at that place
  private tail: Node[] = [];
  private looks = 0;
  private readonly following: StickToEnd;

  constructor(readonly el: HTMLElement) {
    el.hidden = true;
    this.following = new StickToEnd(el);
  }

  /** Shows `text`; follows the end if the person was looking at the end, and never moves anything else. */
  set(text: string): void {
    if (text === this.shown) return;
    if (!text.startsWith(this.shown.slice(0, this.done))) this.clear();
    for (const node of this.tail) node.parentNode?.removeChild(node);
    const end = text.lastIndexOf("\n") + 1;
    const lines = end > this.done ? text.slice(this.done, end - 1).split("\n") : [];
    const whole = lines.flatMap((line) => [...this.line(line), { text: "\n", classes: "" }]);
    this.append(this.nodes(whole));
    [this.shown, this.done] = [text, Math.max(end, this.done)];
    const [look, looks] = [this.look, this.looks];
    this.tail = this.nodes(this.line(text.slice(this.done).replace(UNFINISHED, "")));
    [this.look, this.looks] = [look, looks];
    this.el.append(...this.tail);
    this.el.hidden = text === "";
    this.following.grown();
  }

  /** Text goes on in the node that is there, for a while: ten thousand small pieces make few nodes. */
  private append(nodes: Node[]): void {
    const [last, first] = [this.el.lastChild, nodes[0]];
    if (last instanceof Text && first instanceof Text && last.length < MOST_NODE) {
      last.appendData(first.data);
      nodes.shift();
    }
    this.el.append(...nodes);
  }

  private clear(): void {
    this.el.replaceChildren();
    [this.done, this.look, this.tail, this.looks] = [0, PLAIN, [], 0];
  }

  /** A line that was written over shows its last state. */
  private line(line: string): Piece[] {
    let last: Piece[] = [];
    for (const part of line.split("\r")) {
      const pieces = this.pieces(part);
      if (pieces.length > 0) last = pieces;
    }
    return last;
  }

  private pieces(text: string): Piece[] {
    const found: Piece[] = [];
    let at = 0;
    const push = (end: number): void => {
      if (end > at) found.push({ text: readable(text.slice(at, end)), classes: classes(this.look) });
    };
    for (const match of text.matchAll(SGR)) {
      push(match.index);
      at = match.index + match[0].length;
      this.look = changed(this.look, match[1] ?? "");
    }
    push(text.length);
    return found;
  }

  private nodes(pieces: readonly Piece[]): Node[] {
    const made: Node[] = [];
    let plain = "";
    for (const { text, classes } of pieces) {
      if (classes === "" || text === "\n" || this.looks >= MOST_LOOKS) {
        plain += text;
        continue;
      }
      if (plain !== "") made.push(document.createTextNode(plain));
      plain = "";
      this.looks += 1;
      made.push(h("span", classes, text));
    }
    if (plain !== "") made.push(document.createTextNode(plain));
    return made;
  }
}

function classes({ colour, back, bold, dim, italic, underline, inverse }: Look): string {
  const [front, behind] = inverse ? [back, colour ?? "text"] : [colour, back];
  const painted = behind !== null ? `on-${behind}` : front !== null ? `ansi-${front}` : "";
  return [painted, bold && "ansi-bold", dim && behind === null && "ansi-dim", italic && "ansi-italic", underline && "ansi-underline"].filter(Boolean).join(" ");
}

// --- looks --------------------------------------------------------------------------------------------------------------

const SET: Record<number, Partial<Look>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { colour: null },
  49: { back: null },
};

/** The look after a sequence with these parameters. */
function changed(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/, MOST_PARAMETERS).map(Number);
  let now = look;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes.slice(at + 1));
      now = { ...now, [code === 38 ? "colour" : "back"]: colour };
      at += taken;
    } else now = { ...now, ...SET[code], ...basic(code) };
  }
  return now;
}

/** 30 to 37 and 40 to 47; the bright ones are the same. */
function basic(code: number): Partial<Look> {
  const [tens, ones] = [Math.floor(code / 10), code % 10];
  if (ones > 7) return {};
  if (tens === 3 || tens === 9) return { colour: ones };
  return tens === 4 || tens === 10 ? { back: ones } : {};
}

/** A colour of 256, or of red, green and blue; and how many parameters it took. */
function extended(codes: readonly number[]): [number | null, number] {
  const [kind = 0, n = 0, green = 0, blue = 0] = codes;
  if (kind === 2) return [nearest(n, green, blue), 4];
  if (kind !== 5) return [null, codes.length];
  if (n < 16) return [n % 8, 2];
  if (n >= 232) return [nearest(n, n, n), 2];
  const step = (place: number): number => Math.floor((n - 16) / place) % 6;
  return [nearest(step(36) * 51, step(6) * 51, step(1) * 51), 2];
}

/** One of the eight: 1 for red, 2 for green and 4 for blue, added. */
function nearest(red: number, green: number, blue: number): number {
  const parts = [red, green, blue];
  const [low, high] = [Math.min(...parts), Math.max(...parts)];
  if (high - low < 48) return high < 96 ? 0 : 7;
  return parts.reduce((sum, part, at) => sum + (part > (low + high) / 2 ? 1 << at : 0), 0);
}
