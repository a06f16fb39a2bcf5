// The parts of the notebook and of files beside it that are sent to the model. They are shown in full, before and after they are sent.

import { type Child, choiceInput, fold, h } from "./dom";
import type { Piece } from "./events";
import { bytes, count, joinParts, readable } from "./text";

/** The pieces of a question, each with a checkbox; a cleared one is not sent. */
export class PieceList {
  readonly el: HTMLElement;
  private readonly boxes: { line: string; box: HTMLInputElement }[] = [];

  constructor(pieces: readonly (Piece & { line: string })[]) {
    this.el = h("ul", "pieces", ...pieces.map((piece) => this.row(piece)));
    this.el.setAttribute("aria-label", "What is sent");
  }

  /** The lines of the pieces that are not to be sent. */
  dropped(): ReadonlySet<string> {
    return new Set(this.boxes.filter(({ box }) => !box.checked).map(({ line }) => line));
  }

  private row(piece: Piece & { line: string }): HTMLElement {
    const box = choiceInput("checkbox", "box");
    box.checked = piece.used;
    box.setAttribute("aria-label", `Send ${readable(piece.name)}`);
    this.boxes.push({ line: piece.line, box });
    return h("li", "piece", box, content({ ...piece, by: "" })); // the user has not chosen yet
  }
}

/** Removes the lines of dropped pieces from the text of a question. */
export function withoutPieces(text: string, dropped: ReadonlySet<string>): string {
  return text.split("\n").filter((line) => !dropped.has(line)).join("\n");
}

/** The pieces that were sent, and those found and left out; each with its size, digest and text. */
export function sentPart(pieces: readonly Piece[]): Child {
  if (pieces.length === 0) return null;
  const sent = pieces.filter((piece) => piece.used);
  const size = sent.reduce((sum, piece) => sum + (piece.text === "" ? 0 : piece.size), 0);
  const rest = pieces.length - sent.length;
  const summary = joinParts("What the model was sent", count(sent.length, "piece"), size === 0 ? "" : bytes(size), rest === 0 ? "" : `${rest} left out`);
  const node = fold(summary, h("ul", "pieces", ...pieces.map((piece) => h("li", "piece", content(piece)))));
  node.classList.add("smolcell-sent");
  return node;
}

const WHO: Record<string, string> = {
  person: "chosen by you",
  notebook: "always in this notebook",
  setting: "by your setting context",
  task: "named in the task",
  trust: "from a trusted folder",
};

/** The first line of a cell, which identifies it. */
function firstLine(text: string): string {
  const line = text.split("\n", 50).find((one) => one.trim() !== "") ?? "";
  return readable(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}\u2026` : line);
}

const MAX_LINE_CHARS = 60;

/** A line about a piece; it opens to show the piece's text. The line of instructions and servers includes the digest. */
function content(piece: Piece): HTMLElement {
  const { kind, name, text, size, sha256, by = "", note = "", used } = piece;
  const digest = sha256 === "" ? null : h("code", "digest", `SHA-256 ${readable(sha256)}`);
  const digestInLine = digest !== null && (kind === "instructions" || kind === "servers");
  const facts = h("span", "quiet", ` ${joinParts(size === 0 ? "" : bytes(size), WHO[by] ?? "", readable(note))} `);
  const first = kind === "cell" ? firstLine(text) : "";
  const line = h("span", "", used ? null : h("span", "missing", "not sent"), used ? null : " ", h("strong", "", readable(name)), facts, first !== "" && h("code", "quiet", first), digestInLine && digest);
  if (text === "") return h("div", "piece-line", line);
  const shown = h("pre", "piece-text", readable(text));
  shown.tabIndex = 0; // it scrolls
  shown.setAttribute("role", "group");
  shown.setAttribute("aria-label", readable(name));
  return fold(line, shown, !digestInLine && digest);
}
