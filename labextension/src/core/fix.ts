// Applies the answer of a run that was asked to fix a cell: shows the code as a diff, with a button to replace the cell and one to
// undo that. The notebook identifies the cell; the kernel reports whether the code ran in the sandbox.

import { byPerson } from "./decision-input";
import { diffLines, differenceBlock } from "./diff";
import { button, h } from "./dom";
import type { Feed } from "./feed";
import { readable } from "./text";

/** A DOM event that bubbles from the card when its run has an answer. The notebook puts the cell to fix into `detail`. */
export const FIX_TARGET = "smolcell-mends-cell";

/** The cell that a run was asked to fix. */
export interface FixableCell {
  /** The cell's current text; null if the cell is gone. */
  source(): string | null;
  /** Replaces the cell's text in one undoable change; false if it cannot be changed. */
  replace(text: string): boolean;
}

export interface FixTarget {
  cell: FixableCell | null;
}

const MAX_CELL_CHARS = 200_000;

export class FixPart {
  readonly el = h("div", "mend");
  private readonly status = h("p", "quiet");
  private cell: FixableCell | null = null;
  private id: string | null = null;

  /** `request` requests the code from the kernel and returns the id of the request; "" if there is no kernel. */
  constructor(private readonly request: () => string) {
    this.status.setAttribute("role", "status");
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", "The failing cell");
    this.el.hidden = true;
  }

  update({ state, reply }: Feed): void {
    if (this.id === null && state.answer !== null && state.ended?.state === "success") this.begin();
    if (reply === null || reply.id !== this.id || this.id === "") return;
    const { code, why } = reply.said;
    this.id = "";
    if (typeof code !== "string" || code === "" || code.length > MAX_CELL_CHARS) this.end(`The cell stays as it is: ${typeof why === "string" ? why : "no code came"}.`);
    else this.offer(code);
  }

  /** Waits until the card is on the page, because its event must bubble to the notebook. */
  private begin(): void {
    this.id = "";
    queueMicrotask(() => {
      if (!this.el.isConnected) return void (this.id = null);
      const detail: FixTarget = { cell: null };
      this.el.dispatchEvent(new CustomEvent<FixTarget>(FIX_TARGET, { bubbles: true, composed: true, detail }));
      this.cell = detail.cell;
      if (this.cell !== null) this.id = this.request();
    });
  }

  private offer(code: string): void {
    const before = this.cell?.source() ?? null;
    if (before === null) return this.end("The failing cell is gone.");
    if (before === code) return this.end("The failing cell already contains this code.");
    this.say("Ran without an error in the sandbox, not yet in the notebook.");
    this.show(
      h("h4", "answer-title", "In place of the failing cell"),
      differenceBlock(diffLines(before, code), "Changes to the failing cell"),
      h("div", "bar", button("Replace the cell", "primary", (event) => byPerson(event) && this.replace(code, before))),
      this.status,
    );
  }

  private replace(code: string, before: string): void {
    const now = this.cell?.source() ?? null;
    if (now !== null && now !== before) {
      this.offer(code);
      return this.say("The cell was changed meanwhile. This is the difference to its current text.");
    }
    if (now === null || this.cell?.replace(code) !== true) return this.end("The failing cell is gone, or cannot be changed.");
    const undo = button("Undo", "", (event) => byPerson(event) && this.undo(code, before));
    this.say("The cell was replaced. Run it to use it.");
    this.show(h("div", "bar", undo), this.status);
    undo.focus();
  }

  private undo(code: string, before: string): void {
    if (this.cell?.source() !== code) return this.say("The cell was changed since then, so it is left as it is.");
    this.cell.replace(before);
    this.offer(code);
    this.say("The cell is as it was before.");
    this.el.querySelector<HTMLElement>("button")?.focus();
  }

  private end(text: string): void {
    this.say(text);
    this.show(this.status);
  }

  private show(...children: HTMLElement[]): void {
    this.el.replaceChildren(...children);
    this.el.hidden = false;
  }

  private say(text: string): void {
    this.status.textContent = readable(text);
  }
}
