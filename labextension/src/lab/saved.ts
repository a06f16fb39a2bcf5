// A saved run, drawn as its card was: nothing on it can be answered, and no kernel is needed.

import { answerPart, footParts, headParts, taskParts } from "../head";
import type { Desk } from "../controls";
import { h, Slot } from "../dom";
import type { RunEvent } from "../events";
import { fold } from "../fold";
import { StepList } from "../runs";
import { readable } from "../text";

/** Where a page's controls would send answers. A saved run has none. */
const NOBODY: Desk = { answer: () => "", clickCounts: () => false };

/** The class of what a live card of the run hides while it is on the page. */
export function runClass(run: string): string {
  return `smolcell-run-${run.replace(/[^A-Za-z0-9-]/g, "")}`;
}

export function savedCard(events: readonly RunEvent[]): HTMLElement {
  const state = fold(events);
  const steps = new StepList(NOBODY);
  steps.update(state, null);
  const unfinished = state.ended === null && h("p", "note", "This run was saved before it was over.");
  const card = h(
    "div",
    "card",
    h("div", "head", h("div", "head-text", part("task-part", taskParts(state)), part("head-parts", headParts(state)))),
    steps.el,
    part("notices", state.notices.map((notice) => h("p", "note", readable(notice.text)))),
    unfinished,
    part("answer", answerPart(state)),
    part("foot", footParts(state)),
  );
  card.dataset["link"] = "saved";
  card.dataset["run"] = state.run;
  card.setAttribute("role", "region");
  card.setAttribute("aria-label", "Saved agent run");
  return card;
}

function part(classes: string, children: ReturnType<typeof headParts>): HTMLElement {
  const place = new Slot(h("div", classes));
  place.draw([], () => children);
  return place.el;
}
