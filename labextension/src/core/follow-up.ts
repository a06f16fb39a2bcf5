// Below the answer: a field for the next task of the session, and a button that gives this one again. Both become ordinary
// agent cells, so that the notebook stays the record. The notebook inserts and runs them where one takes them; elsewhere the
// person copies them.

import { byPerson } from "./decision-input";
import { button, h } from "./dom";
import { textArea } from "./editor";
import type { Feed } from "./feed";

/** Goes up from the card. Who inserts the cell below and runs it prevents the default. */
export const FOLLOW_UP = "smolcell-follow-up";

export interface FollowUp {
  /** The next task, or null: the card's own cell once more. */
  task: string | null;
  session: string;
  /** The whole text of the cell, if it is no task. */
  cell?: string;
  /** Where it came from a key, the keyboard goes on with the new cell. */
  byKey: boolean;
}

const MAX_TASK_CHARS = 100_000; // characters of a task

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

  /** Whether a notebook took it. */
  private send(task: string | null, byKey: boolean): boolean {
    const taken = insert(this.el, { task, session: this.state.session, byKey });
    this.status.replaceChildren(...(taken ? [] : copyInstead(`${cellLine(this.state.session)}\n${task ?? this.state.task}`)));
    return taken;
  }
}

/** Whether a notebook took the cell. */
export function insert(el: HTMLElement, detail: FollowUp): boolean {
  return !el.dispatchEvent(new CustomEvent<FollowUp>(FOLLOW_UP, { bubbles: true, cancelable: true, composed: true, detail }));
}

/** The text of a cell that the person runs: shown, to be copied. */
export function copyInstead(text: string): HTMLElement[] {
  const code = h("pre", "about", text);
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", "The next cell");
  const copy = button("Copy", "quiet", () => {
    void navigator.clipboard?.writeText(text).then(() => (copy.textContent = "Copied"));
  });
  return [h("p", "quiet", "No cell can be inserted from here. Run this in a new one:"), code, copy];
}

/** A word of a magic's line. */
export function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replaceAll("'", "'\"'\"'")}'`;
}

/** What IPython evaluates in the line of a cell magic; doubled, it stands for itself. */
const EXPANDED = /[{}]/g;

/** The first line of a cell of this session. Its name may come from a saved notebook: nothing in it is run. */
export function cellLine(session: string): string {
  if (session === "" || session === "default") return "%%agent";
  return `%%agent --session ${quoted(session).replace(EXPANDED, "$&$&")}`;
}
