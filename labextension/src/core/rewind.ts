// Below a finished step of a run that is over: go back to its end, or retry it in another way. The kernel goes back; the retry is an
// ordinary cell, so that the notebook stays the record.

import { byPerson } from "./decision-input";
import type { Back, StepActions } from "./controls";
import { button, h } from "./dom";
import { textArea } from "./editor";
import type { Step } from "./fold";
import { quoted } from "./follow-up";
import { readable } from "./text";

const MAX_COMMENT_CHARS = 2000; // characters of a comment

/** Whether a step ran and still counts. */
export function counts(step: Step): boolean {
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
    const can = this.actions !== null && counts(step);
    if (can && this.el.firstChild === null) this.build();
    else if (!can) this.el.replaceChildren();
    this.el.hidden = !can;
  }

  /** The newest step that counts has nothing after it that could be taken back. */
  markNewest(on: boolean): void {
    this.isNewest = on;
    const back = this.el.querySelector("button");
    if (back !== null) back.hidden = on;
  }

  /** Of hundreds of steps most are never gone back to: what is not asked for is not made. */
  private build(): void {
    const back = button("Go back to here", "quiet", (event) => byPerson(event) && this.goBack());
    const other = button("Try another way", "quiet", (event) => byPerson(event) && this.open());
    back.hidden = this.isNewest;
    back.title = "Take back what ran after this step";
    other.title = "Take this step and what ran after it back, and have the model do it in another way, in a cell below";
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
    const say = comment === "" ? "" : ` --say ${quoted(comment.replaceAll(/\s+/g, " "))}`;
    const of = session === "" || session === "default" ? "" : ` --session ${quoted(session)}`;
    this.close();
    this.status.replaceChildren(...this.actions.runCell(`%agent retry ${run}:${this.step}${say}${of}`, byKey));
  }
}
