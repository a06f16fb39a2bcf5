// Printed text with its colours, as nodes. Of the escape sequences of terminals only those that set colour and style are
// interpreted (ECMA-48, SGR); every other control character is shown as an escape.
//
// * No style hides text: there are eight colours, all readable on the card; a background sets a matching text colour;
//   concealed and blinking text are not supported.
// * Growing text is appended; only its last line is redrawn, because a carriage return may overwrite it.
// * The number of styled pieces is bounded; further text is plain.

import { StickToEnd, h } from "./dom";
import { readable } from "./text";

const MAX_STYLED_PIECES = 5000; // in one box
const MAX_PARAMETERS = 64; // of one sequence
const MAX_NODE_CHARS = 4000; // up to which a text node is extended

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
/** The start of a sequence whose end has not arrived yet. */
const UNFINISHED = /\x1b(\[[0-9;:]*)?$/;

/** A box of printed text. */
export class Printed {
  private shown = "";
  private done = 0; // characters of `shown` that are complete lines
  private look = PLAIN; // after these lines
  private tail: Node[] = [];
  private looks = 0;
  private readonly stick: StickToEnd;

  constructor(readonly el: HTMLElement) {
    el.hidden = true;
    this.stick = new StickToEnd(el);
  }

  /** Shows `text`. Keeps the end in view if it was in view; never scrolls anything else. */
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
    this.stick.update();
  }

  /** Extends the last text node up to a limit, so that ten thousand small pieces need few nodes. */
  private append(nodes: Node[]): void {
    const [last, first] = [this.el.lastChild, nodes[0]];
    if (last instanceof Text && first instanceof Text && last.length < MAX_NODE_CHARS) {
      last.appendData(first.data);
      nodes.shift();
    }
    this.el.append(...nodes);
  }

  private clear(): void {
    this.el.replaceChildren();
    [this.done, this.look, this.tail, this.looks] = [0, PLAIN, [], 0];
  }

  /** The pieces of a line; of an overwritten line, its last state. */
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
      this.look = applySgr(this.look, match[1] ?? "");
    }
    push(text.length);
    return found;
  }

  private nodes(pieces: readonly Piece[]): Node[] {
    const made: Node[] = [];
    let plain = "";
    for (const { text, classes } of pieces) {
      if (classes === "" || text === "\n" || this.looks >= MAX_STYLED_PIECES) {
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

/** Returns the look after a sequence with these parameters. */
function applySgr(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/, MAX_PARAMETERS).map(Number);
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

/** Codes 30 to 37 and 40 to 47; bright colours (90 to 97, 100 to 107) are shown as the normal ones. */
function basic(code: number): Partial<Look> {
  const [tens, ones] = [Math.floor(code / 10), code % 10];
  if (ones > 7) return {};
  if (tens === 3 || tens === 9) return { colour: ones };
  return tens === 4 || tens === 10 ? { back: ones } : {};
}

/** A colour of the 256-colour palette or an RGB colour, and the number of parameters it took. */
function extended(codes: readonly number[]): [number | null, number] {
  const [kind = 0, n = 0, green = 0, blue = 0] = codes;
  if (kind === 2) return [nearest(n, green, blue), 4];
  if (kind !== 5) return [null, codes.length];
  if (n < 16) return [n % 8, 2];
  if (n >= 232) return [nearest(n, n, n), 2];
  const step = (place: number): number => Math.floor((n - 16) / place) % 6;
  return [nearest(step(36) * 51, step(6) * 51, step(1) * 51), 2];
}

/** The nearest of the eight colours: the sum of 1 for red, 2 for green and 4 for blue. */
function nearest(red: number, green: number, blue: number): number {
  const parts = [red, green, blue];
  const [low, high] = [Math.min(...parts), Math.max(...parts)];
  if (high - low < 48) return high < 96 ? 0 : 7;
  return parts.reduce((sum, part, at) => sum + (part > (low + high) / 2 ? 1 << at : 0), 0);
}
