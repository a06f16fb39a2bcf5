// A card on a page of its own, fed by a fake kernel.

import { vi } from "vitest";
import type { Delta, RunEvent } from "../src/core/events";
import type { Pending } from "../src/core/feed";
import type { Model } from "../src/hosts/widget";
import widget from "../src/hosts/widget";

export interface Sent {
  type: string;
  id?: string;
  choice?: string;
  text?: string;
  comment?: string;
  fingerprint?: string;
}

/** A button's name as a screen reader has it. */
function nameOf(button: HTMLElement): string {
  const read = [...button.childNodes].filter((node) => !(node instanceof Element && node.getAttribute("aria-hidden") === "true"));
  return read.map((node) => node.textContent).join("").trim();
}

export class Page {
  readonly sent: Sent[] = [];
  readonly traits: Record<string, unknown> = { snapshot: "", live: true };
  readonly el = document.createElement("div");
  readonly leave: () => void;
  /** Its comm is closed. */
  deaf = false;
  private seq = 0;
  private readonly listeners = new Map<string, ((message: never) => void)[]>();

  constructor() {
    const model: Model = {
      get: (name) => this.traits[name],
      on: (event, listener) => void this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]),
      off: () => undefined,
      send: (content) => {
        if (this.deaf) throw new Error("Cannot send");
        this.sent.push(content as Sent);
      },
    };
    document.body.replaceChildren(this.el);
    const module = widget();
    module.initialize({ model });
    this.leave = module.render({ model, el: this.el });
  }

  emit(event: string, message?: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(message as never);
  }

  push(...events: RunEvent[]): void {
    for (const event of events) this.numbered({ type: "event", event });
  }

  stream(...deltas: Delta[]): void {
    for (const delta of deltas) this.numbered({ type: "delta", delta });
  }

  pend(pending: Pending | null): void {
    this.numbered({ type: "pending", pending });
  }

  numbered(message: object): void {
    this.emit("msg:custom", { ...message, seq: ++this.seq });
  }

  /** Shows a proposal that waits, for long enough that an answer counts. */
  wait(event: RunEvent & { event: "Proposed" }, more: Partial<Pending> = {}): void {
    this.push(event);
    this.pend({ run: event.run, step: event.step, fingerprint: event.fingerprint, why: "", session: true, ...more });
    vi.advanceTimersByTime(600);
  }

  button(name: string): HTMLButtonElement {
    const found = [...this.el.querySelectorAll("button")].find((one) => nameOf(one) === name);
    if (found === undefined) throw new Error(`no button ${name}`);
    return found;
  }

  buttons(): string[] {
    return [...this.el.querySelectorAll<HTMLButtonElement>(".smolcell-row button")].map(nameOf);
  }

  get card(): HTMLElement {
    return this.el.querySelector<HTMLElement>(".smolcell-card")!;
  }

  key(key: string, target: Element = this.card, more: KeyboardEventInit = {}): KeyboardEvent {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...more });
    target.dispatchEvent(event);
    return event;
  }

  answers(): Sent[] {
    return this.sent.filter((message) => message.type === "answer");
  }
}

export function proposal(step: number, text: string, more: Partial<RunEvent & { event: "Proposed" }> = {}): RunEvent & { event: "Proposed" } {
  return { event: "Proposed", run: "r", step, text, kind: "code", thought: "", findings: [], fingerprint: `f${step}`, ...more };
}

export function observed(more: Partial<RunEvent & { event: "Observed" }> = {}): RunEvent {
  const nothing = { stdout: "", result: "", outputs: [], error: null, changed: [], dropped: 0, state_lost: false };
  return { event: "Observed", run: "r", step: 1, is_final_answer: false, duration: 0.1, ...nothing, ...more };
}

export const asked: RunEvent = {
  event: "Asked",
  run: "r",
  task: "Count.",
  variables: [],
  images: [],
  model: "m",
  sandbox: "local",
  approve: "ask",
  session: "",
};
