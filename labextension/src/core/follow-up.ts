// The part below the answer: a field for the next task of the session, and a button that repeats this one. Both become ordinary
// agent cells, so that the notebook stays the record. The notebook inserts and runs them; if it cannot, the user copies them.

import { byPerson } from "./decision-input";
import { button, h } from "./dom";
import { textArea } from "./editor";
import type { Feed } from "./feed";

/** A DOM event of the card that bubbles. A listener that inserts and runs the cell calls `preventDefault`. */
export const FOLLOW_UP = "smolcell-follow-up";

export interface FollowUp {
  /** The next task; null repeats the card's own cell. */
  task: string | null;
  session: string;
  /** The whole text of the cell, if it is not a task. */
  cell?: string;
  /** Whether it came from a key; the new cell then gets the keyboard focus. */
  byKey: boolean;
}

const MAX_TASK_CHARS = 100_000;

export class FollowUpPart {
  readonly el = h("div", "follow");
  private readonly area = textArea("next-task");
  private readonly status = h("div", "by-hand");
  private readonly bar: HTMLElement;
  private state = { task: "", session: "" };

  constructor() {
    this.area.rows = 1;
    this.area.maxLength = MAX_TASK_CHARS;
    this.area.placeholder = "Ask a follow-up";
    this.area.setAttribute("aria-label", "Ask a follow-up: the session\u2019s next task, in a new cell below");
    this.area.addEventListener("keydown", (event) => this.keyDown(event));
    this.status.setAttribute("role", "status");
    const ask = button("Ask", "", (event) => byPerson(event) && this.ask(event.detail === 0));
    const again = button("Try again", "quiet", (event) => byPerson(event) && this.send(null, event.detail === 0));
    ask.title = "Insert the task as an agent cell below, and run it";
    again.title = "Insert the same task once more as an agent cell below, and run it";
    this.bar = h("div", "bar", this.area, ask, again);
    this.el.hidden = true;
  }

  update({ state }: Feed): void {
    this.state = state;
    if (state.ended !== null && this.el.hidden) this.el.append(this.bar, this.status);
    this.el.hidden = state.ended === null;
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !byPerson(event)) return;
    event.preventDefault();
    this.ask(true);
  }

  private ask(byKey: boolean): void {
    const task = this.area.value.trim();
    if (task === "") this.area.focus();
    else if (this.send(task, byKey)) this.area.value = "";
  }

  /** Returns whether a notebook inserted the cell. */
  private send(task: string | null, byKey: boolean): boolean {
    const taken = insertCell(this.el, { task, session: this.state.session, byKey });
    this.status.replaceChildren(...(taken ? [] : showForCopy(`${cellLine(this.state.session)}\n${task ?? this.state.task}`)));
    return taken;
  }
}

/** Asks the notebook to insert a cell; returns whether it did. */
export function insertCell(el: HTMLElement, detail: FollowUp): boolean {
  return !el.dispatchEvent(new CustomEvent<FollowUp>(FOLLOW_UP, { bubbles: true, cancelable: true, composed: true, detail }));
}

/** The text of a cell, to be copied and run by the user. */
export function showForCopy(text: string): HTMLElement[] {
  const code = h("pre", "about", text);
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", "The next cell");
  const copy = button("Copy", "quiet", () => {
    void navigator.clipboard?.writeText(text).then(() => (copy.textContent = "Copied"));
  });
  return [h("p", "quiet", "No cell can be inserted from here. Run this in a new one:"), code, copy];
}

/** Quotes a word of a magic's line, if needed. */
export function quoteWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replaceAll("'", "'\"'\"'")}'`;
}

/** IPython evaluates braces in the line of a cell magic; doubled braces are literal. */
const EXPANDED = /[{}]/g;

/** The first line of a cell of this session. The name may come from a saved notebook, so it is quoted. */
export function cellLine(session: string): string {
  if (session === "" || session === "default") return "%%agent";
  return `%%agent --session ${quoteWord(session).replace(EXPANDED, "$&$&")}`;
}
