// A finished run as ordinary cells: asked of the kernel, and inserted by the notebook where one takes them. Elsewhere the
// person copies them.

import { button, h } from "./dom";
import type { Cells, Feed } from "./feed";
import { count, readable } from "./text";

/** Goes up from the card. Who inserts the cells below prevents the default. */
export const INSERT = "smolcell-insert-cells";

/** Goes up from the card when a run that the page has seen is over. A notebook that lacks the record asks for it. */
export const RUN_ENDED = "smolcell-run-over";

export interface RunEnded {
  run: string;
  /** The record as display data; never, where the kernel does not say it. */
  record(): Promise<Record<string, unknown>>;
}

const PATIENCE = 10_000; // milliseconds after which a kernel that has not answered is said to be busy or gone

export class ExportPart {
  readonly el = h("div", "export");
  private readonly ask = button("Write steps as cells", "quiet", () => this.request());
  private readonly said = h("div", "exported");
  private asked = ""; // the question that waits for its answer
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `request` asks the kernel, and returns the name of the question; "" where no kernel can be asked. */
  constructor(private readonly requested: () => string) {
    this.ask.title = "The approved steps as ordinary cells below, which give the same answer";
    this.said.setAttribute("role", "status");
    this.el.append(this.ask, this.said);
    this.el.hidden = true;
  }

  /** Shows itself when the run is over, and takes the answer to its own question. */
  update(feed: Feed): void {
    const ran = feed.state.steps.some((step) => step.observation !== null || step.runs.length > 0);
    this.el.hidden = feed.state.ended === null || !ran;
    if (feed.cells !== null && feed.cells.id === this.asked) this.take(feed.cells);
  }

  /** Asks; one answer counts, however often it is pressed. */
  private request(): void {
    if (this.timer !== undefined) return;
    this.asked = this.requested();
    if (this.asked === "") return this.end("The run's kernel is gone. Its steps stand above; in a kernel that knows the session: %agent export");
    this.tell("Asking the kernel\u2026");
    this.timer = setTimeout(() => this.wait(), PATIENCE);
  }

  /** The answer still counts when it comes, unless it is asked anew. */
  private wait(): void {
    this.timer = undefined;
    this.tell("No kernel answered yet: it is busy with another cell, or gone. If it is busy, the cells come when it is free.");
  }

  private take({ cells, notes, why }: Cells): void {
    if (why !== "") return this.end(`Not exported: ${why}`);
    const inserted = !this.el.dispatchEvent(new CustomEvent(INSERT, { bubbles: true, cancelable: true, composed: true, detail: cells }));
    this.end(inserted ? `${count(cells.length, "cell")} below.` : "", ...notes.map((note) => h("p", "note", readable(note))));
    if (!inserted) this.said.append(...copied(cells.join("\n\n")));
  }

  private end(text: string, ...more: HTMLElement[]): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.asked = "";
    this.tell(text, ...more);
  }

  private tell(text: string, ...more: HTMLElement[]): void {
    this.said.replaceChildren(...(text === "" ? [] : [h("p", "quiet", readable(text))]), ...more);
  }
}

/** The cells as a text, and a button that copies it. */
function copied(text: string): HTMLElement[] {
  const code = h("pre", "about", readable(text));
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", "The steps as ordinary code");
  const copy = button("Copy", "quiet", () => {
    void navigator.clipboard?.writeText(text).then(() => (copy.textContent = "Copied"));
  });
  return [code, copy];
}

// --- the record ----------------------------------------------------------------------------------------------------------
//
// Tells the notebook that a run is over, and fetches the run's record where the notebook has missed it.

const SETTLED = 1500; // milliseconds in which the record's own output arrives, if the page is to get it

export class RecordPart {
  private told = false;
  private id = "";
  private take: ((data: Record<string, unknown>) => void) | null = null;

  /** `requested` asks the kernel, and returns the name of the question. */
  constructor(
    private readonly el: HTMLElement,
    private readonly requested: () => string,
    private readonly signal: AbortSignal,
  ) {}

  update({ state, saved }: Feed): void {
    if (saved !== null && saved.id === this.id) {
      this.take?.(saved.data);
      this.take = null;
    }
    if (state.ended === null || this.told) return;
    this.told = true;
    setTimeout(() => !this.signal.aborted && this.tell(state.run), SETTLED);
  }

  private tell(run: string): void {
    const record = (): Promise<Record<string, unknown>> =>
      new Promise((resolve) => {
        this.take = resolve;
        this.id = this.requested();
      });
    this.el.dispatchEvent(new CustomEvent<RunEnded>(RUN_ENDED, { bubbles: true, composed: true, detail: { run, record } }));
  }
}
