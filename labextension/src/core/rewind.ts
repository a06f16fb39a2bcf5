// The buttons below a finished step of a run that is over: go back to its end, or retry it in another way. The kernel goes back;
// a retry is an ordinary cell, so that the notebook stays the record.

import { byPerson } from "./decision-input";
import type { Back, StepActions } from "./controls";
import { button, h } from "./dom";
import { textArea } from "./editor";
import type { Step } from "./fold";
import { quoteWord } from "./follow-up";
import { readable } from "./text";

const MAX_COMMENT_CHARS = 2000;

/** Whether a step ran and was not undone. */
export function isInEffect(step: Step): boolean {
  return step.call === 0 && step.observation !== null && !step.undone;
}

export class RewindPart {
  readonly el = h("div", "back");
  private readonly status = h("div", "back-said quiet");
  private readonly field = h("div", "back-field");
  private step = 0;
  private isNewest = false;

  private readonly actions: Back | null;

  constructor({ back }: StepActions) {
    this.actions = back;
    this.el.hidden = true;
    this.field.hidden = true;
    this.status.setAttribute("role", "status");
  }

  update(step: Step): void {
    this.step = step.n;
    const can = this.actions !== null && isInEffect(step);
    if (can && this.el.firstChild === null) this.build();
    else if (!can) this.el.replaceChildren();
    this.el.hidden = !can;
  }

  /** Hides "Go back to here" on the newest step: nothing comes after it. */
  markNewest(on: boolean): void {
    this.isNewest = on;
    const back = this.el.querySelector("button");
    if (back !== null) back.hidden = on;
  }

  /** Creates the buttons. Not in the constructor: few of hundreds of steps need them. */
  private build(): void {
    const back = button("Go back to here", "quiet", (event) => byPerson(event) && this.goBack());
    const other = button("Try another way", "quiet", (event) => byPerson(event) && this.open());
    back.hidden = this.isNewest;
    back.title = "Undo everything that ran after this step";
    other.title = "Undo this step and everything after it, and let the model try another way in a cell below";
    this.el.append(h("div", "bar", back, other), this.field, this.status);
  }

  private goBack(): void {
    this.status.replaceChildren("Going back\u2026");
    this.actions?.goBack(this.step, (text) => this.status.replaceChildren(readable(text)));
  }

  private open(): void {
    const area = textArea("comment");
    area.rows = 1;
    area.maxLength = MAX_COMMENT_CHARS;
    area.placeholder = "What to do differently (the model reads it)";
    area.setAttribute("aria-label", area.placeholder);
    const send = (byKey: boolean): void => this.send(area.value.trim(), byKey);
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || !byPerson(event)) return;
      event.preventDefault();
      send(true);
    });
    const go = button("Try it", "primary", (event) => byPerson(event) && send(event.detail === 0));
    this.field.replaceChildren(area, h("div", "bar", go, button("Cancel", "", () => this.close())));
    this.field.hidden = false;
    area.focus();
  }

  private close(): void {
    this.field.hidden = true;
    this.field.replaceChildren();
  }

  private send(comment: string, byKey: boolean): void {
    if (this.actions === null) return;
    const { run, session } = this.actions.place();
    const say = comment === "" ? "" : ` --say ${quoteWord(comment.replaceAll(/\s+/g, " "))}`;
    const of = session === "" || session === "default" ? "" : ` --session ${quoteWord(session)}`;
    this.close();
    this.status.replaceChildren(...this.actions.runCell(`%agent retry ${run}:${this.step}${say}${of}`, byKey));
  }
}
