// The context and cost of a run so far, and a menu of the models that the session can use from its next run on. The models
// are listed only when the menu is opened.

import { byPerson, takesText } from "./decision-input";
import { button, choiceInput, h, Slot } from "./dom";
import type { Usage } from "./events";
import type { Feed } from "./feed";
import type { RunState, Step } from "./fold";
import { contextText, cost, joinParts, readable } from "./text";

const MAX = { models: 100, text: 300 };
const REPLY_TIMEOUT_MS = 10_000; // after this the card says that the kernel is busy or gone

/** A model of the kernel's list. */
interface ModelChoice {
  id: string;
  name: string;
  why: string;
  now: boolean;
}

let made = 0;

export class ModelPart {
  readonly el: HTMLElement;
  private readonly figures = h("span", "spent");
  private readonly opener = button("Change model", "quiet", (event) => byPerson(event) && this.toggle());
  private readonly menu = h("div", "models");
  private readonly status = h("p", "models-said quiet");
  private readonly figuresSlot = new Slot(this.figures);
  private asked = { kind: "", id: "" };
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `request` asks the kernel and returns the id of the request; "" if there is no kernel. */
  constructor(private readonly request: (kind: "models" | "model", choice?: string) => string) {
    this.el = h("div", "model", this.figures, this.opener, this.menu, this.status);
    this.menu.id = `smolcell-models-${++made}`;
    this.menu.hidden = this.status.hidden = true;
    this.status.setAttribute("role", "status");
    this.opener.setAttribute("aria-expanded", "false");
    this.opener.setAttribute("aria-controls", this.menu.id);
    this.el.addEventListener("keydown", (event) => this.keyDown(event));
  }

  update({ state, link, reply }: Feed): void {
    this.el.hidden = state.run === "";
    this.opener.hidden = link === "dead";
    const spent = spentBy(state);
    this.figuresSlot.draw([spent], () => (spent === "" ? [] : [spent]));
    if (reply !== null && reply.id === this.asked.id && reply.id !== "") this.take(reply.said);
  }

  private toggle(): void {
    if (!this.menu.hidden) return this.close();
    this.opener.setAttribute("aria-expanded", "true");
    this.menu.hidden = false;
    this.menu.replaceChildren();
    this.ask("models", "Looking for models\u2026");
  }

  private close(): void {
    this.opener.setAttribute("aria-expanded", "false");
    if (this.menu.contains(document.activeElement)) this.opener.focus();
    this.menu.hidden = true;
    if (this.asked.kind === "models") this.wait("");
  }

  private ask(kind: "models" | "model", text: string, choice = ""): void {
    this.wait(text);
    this.asked = { kind, id: this.request(kind, choice) };
    if (this.asked.id === "") return this.wait("The run\u2019s kernel is gone. Choose a model with: %agent config model=provider/model");
    this.timer = setTimeout(() => this.say("No kernel answered yet: it is busy with another cell, or gone."), REPLY_TIMEOUT_MS);
  }

  private wait(text: string): void {
    clearTimeout(this.timer);
    this.asked = { kind: "", id: "" };
    this.say(text);
  }

  private say(text: string): void {
    this.status.textContent = readable(text);
    this.status.hidden = text === "";
  }

  private take(content: Record<string, unknown>): void {
    const { kind } = this.asked;
    const why = textOf(content["why"]);
    if (why !== "") return this.wait(`Not changed: ${why}.`);
    if (kind === "models") return this.list(readModels(content["models"]));
    this.close();
    this.wait(`From its next run on, the session ${textOf(content["session"])} uses ${textOf(content["model"])}, unless a cell names another with -m.`);
  }

  private list(models: readonly ModelChoice[]): void {
    if (models.length === 0) {
      return this.wait("No model was found: no key is set, and no server on this machine answers. Name one with: %agent config model=provider/model");
    }
    this.wait("");
    const group = h("fieldset", "models-list", h("legend", "", "Model of the session, from its next run on"), ...models.map((model) => this.row(model)));
    const use = button("Use for the next run", "primary", (event) => byPerson(event) && this.choose());
    this.menu.replaceChildren(group, h("div", "bar", use, button("Cancel", "", (event) => byPerson(event) && this.close())));
    const first = group.querySelector<HTMLElement>("input:checked") ?? group.querySelector<HTMLElement>("input");
    if (document.activeElement === this.opener) first?.focus();
  }

  private row({ id, name, why, now }: ModelChoice): HTMLElement {
    const radio = choiceInput("radio", "");
    radio.name = this.menu.id;
    radio.value = id;
    radio.checked = now;
    return h("label", "models-row", radio, h("span", "", readable(name)), h("span", "quiet", readable(why)));
  }

  private keyDown(event: KeyboardEvent): void {
    if (this.menu.hidden) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && takesText(event.target) && byPerson(event)) this.choose();
  }

  private choose(): void {
    const chosen = this.menu.querySelector<HTMLInputElement>("input:checked");
    if (chosen === null) this.say("Choose a model first.");
    else this.ask("model", "Sent\u2026", chosen.value);
  }
}

/** The models in a kernel's reply; invalid entries are ignored. */
function readModels(value: unknown): ModelChoice[] {
  const rows: unknown[] = Array.isArray(value) ? value.slice(0, MAX.models) : [];
  return rows.flatMap((row) => {
    const { id, name, why, now } = (row ?? {}) as Record<string, unknown>;
    return textOf(id) === "" || textOf(name) === "" ? [] : [{ id: textOf(id), name: textOf(name), why: textOf(why), now: now === true }];
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX.text) : "";
}

/** The context and the cost so far; the cost includes managed agents. "" before the first reply. */
export function spentBy(state: RunState): string {
  const last = state.steps.findLast((step) => total(step.usage) > 0)?.usage ?? null;
  const used = allUsed(state);
  if (used.length === 0) return "";
  const known = used.every((usage) => usage.cost !== null);
  const sum = used.reduce((before, usage) => before + (usage.cost ?? 0), 0);
  const paid = known ? cost({ input_tokens: 0, output_tokens: 0, cost: sum }) : "unknown";
  return joinParts(last === null ? "" : contextText(total(last), state.window), `Cost so far: ${paid}`);
}

function allUsed(state: RunState): Usage[] {
  const usageOf = (step: Step): Usage[] => (step.usage !== null && total(step.usage) > 0 ? [step.usage] : []);
  return state.steps.flatMap((step) => [...usageOf(step), ...step.runs.flatMap(allUsed)]);
}

function total(usage: Usage | null): number {
  return usage === null ? 0 : usage.input_tokens + usage.output_tokens;
}
