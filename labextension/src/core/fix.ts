// For a run that was asked to fix a cell: shows its code as a diff, applies it to the cell by a click and undoes it by another. The
// notebook names the cell; the kernel says whether the code ran in the sandbox.

import { byPerson } from "./decision-input";
import { difference, differenceBlock } from "./diff";
import { button, h } from "./dom";
import type { Feed } from "./feed";
import { readable } from "./text";

/** Goes up from the card when its run has an answer. The notebook that knows which cell was to be mended says so in `detail`. */
export const FIX_TARGET = "smolcell-mends-cell";

/** The cell that a run was to mend. */
export interface FixableCell {
  /** What it holds now; null where it is gone. */
  source(): string | null;
  /** Gives it other text, as one change that can be undone; false where it cannot be changed. */
  replace(text: string): boolean;
}

export interface FixTarget {
  cell: FixableCell | null;
}

const MAX_CELL_CHARS = 200_000; // characters of a cell

export class FixPart {
  readonly el = h("div", "mend");
  private readonly said = h("p", "quiet");
  private cell: FixableCell | null = null;
  private id: string | null = null;

  /** `request` asks the kernel for the code, and returns the name of the question; "" where no kernel can be asked. */
  constructor(private readonly request: () => string) {
    this.said.setAttribute("role", "status");
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

  /** Once the card is on the page: what goes up from it is heard then. */
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
    if (before === code) return this.end("The failing cell holds this code already.");
    this.say("Ran without an error in the sandbox, not yet in the notebook.");
    this.show(
      h("h4", "answer-title", "In place of the failing cell"),
      differenceBlock(difference(before, code), "What changes in the failing cell"),
      h("div", "bar", button("Replace the cell", "primary", (event) => byPerson(event) && this.replace(code, before))),
      this.said,
    );
  }

  private replace(code: string, before: string): void {
    const now = this.cell?.source() ?? null;
    if (now !== null && now !== before) {
      this.offer(code);
      return this.say("The cell was changed meanwhile. This is the difference to what it holds now.");
    }
    if (now === null || this.cell?.replace(code) !== true) return this.end("The failing cell is gone, or cannot be changed.");
    const undo = button("Undo", "", (event) => byPerson(event) && this.undo(code, before));
    this.say("The cell was replaced. Run it to use it.");
    this.show(h("div", "bar", undo), this.said);
    undo.focus();
  }

  private undo(code: string, before: string): void {
    if (this.cell?.source() !== code) return this.say("The cell was changed since, and is left as it is.");
    this.cell.replace(before);
    this.offer(code);
    this.say("The cell holds what it held before.");
    this.el.querySelector<HTMLElement>("button")?.focus();
  }

  private end(text: string): void {
    this.say(text);
    this.show(this.said);
  }

  private show(...children: HTMLElement[]): void {
    this.el.replaceChildren(...children);
    this.el.hidden = false;
  }

  private say(text: string): void {
    this.said.textContent = readable(text);
  }
}
