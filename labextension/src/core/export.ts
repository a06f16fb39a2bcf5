// Exports a finished run as ordinary cells. The kernel writes them, the notebook inserts them; if it cannot, the user copies them.

import { button, h } from "./dom";
import type { Cells, Feed } from "./feed";
import { count, readable } from "./text";

/** A DOM event of the card that bubbles. A listener that inserts the cells below calls `preventDefault`. */
export const INSERT = "smolcell-insert-cells";

/** A DOM event of the card that bubbles when a run has ended. A notebook that lacks the run's record requests it. */
export const RUN_ENDED = "smolcell-run-over";

export interface RunEnded {
  run: string;
  /** The record as display data; never resolves if the kernel does not send it. */
  record(): Promise<Record<string, unknown>>;
}

const REPLY_TIMEOUT_MS = 10_000; // after this the card says that the kernel is busy or gone

export class ExportPart {
  readonly el = h("div", "export");
  private readonly button = button("Write steps as cells", "quiet", () => this.request());
  private readonly status = h("div", "exported");
  private requestId = ""; // of the request that waits for its reply
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `send` sends the request to the kernel and returns its id; "" if there is no kernel. */
  constructor(private readonly send: () => string) {
    this.button.title = "Write the approved steps as ordinary cells below; they give the same answer";
    this.status.setAttribute("role", "status");
    this.el.append(this.button, this.status);
    this.el.hidden = true;
  }

  /** Shows the button when the run is over, and takes the reply to its own request. */
  update(feed: Feed): void {
    const ran = feed.state.steps.some((step) => step.observation !== null || step.runs.length > 0);
    this.el.hidden = feed.state.ended === null || !ran;
    if (feed.cells !== null && feed.cells.id === this.requestId) this.take(feed.cells);
  }

  /** Sends a request, unless one waits for its reply. */
  private request(): void {
    if (this.timer !== undefined) return;
    this.requestId = this.send();
    if (this.requestId === "") return this.end("The run's kernel is gone. Its steps are shown above. In a kernel that has the session, run: %agent export");
    this.show("Asking the kernel\u2026");
    this.timer = setTimeout(() => this.onTimeout(), REPLY_TIMEOUT_MS);
  }

  /** A late reply is still taken, unless there is a newer request. */
  private onTimeout(): void {
    this.timer = undefined;
    this.show("No kernel answered yet: it is busy with another cell, or gone. If it is busy, the cells come when it is free.");
  }

  private take({ cells, notes, why }: Cells): void {
    if (why !== "") return this.end(`Not exported: ${why}`);
    const inserted = !this.el.dispatchEvent(new CustomEvent(INSERT, { bubbles: true, cancelable: true, composed: true, detail: cells }));
    this.end(inserted ? `${count(cells.length, "cell")} below.` : "", ...notes.map((note) => h("p", "note", readable(note))));
    if (!inserted) this.status.append(...copyableText(cells.join("\n\n")));
  }

  private end(text: string, ...more: HTMLElement[]): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.requestId = "";
    this.show(text, ...more);
  }

  private show(text: string, ...more: HTMLElement[]): void {
    this.status.replaceChildren(...(text === "" ? [] : [h("p", "quiet", readable(text))]), ...more);
  }
}

/** The cells as text, with a button that copies it. */
function copyableText(text: string): HTMLElement[] {
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
// Tells the notebook that a run is over, and fetches the run's record if the notebook has missed it.

const RECORD_WAIT_MS = 1500; // in this time the cell's own output with the record arrives, unless the page misses it

export class RecordPart {
  private announced = false;
  private id = "";
  private take: ((data: Record<string, unknown>) => void) | null = null;

  /** `send` requests the record from the kernel and returns the id of the request. */
  constructor(
    private readonly el: HTMLElement,
    private readonly send: () => string,
    private readonly signal: AbortSignal,
  ) {}

  update({ state, saved }: Feed): void {
    if (saved !== null && saved.id === this.id) {
      this.take?.(saved.data);
      this.take = null;
    }
    if (state.ended === null || this.announced) return;
    this.announced = true;
    setTimeout(() => !this.signal.aborted && this.announce(state.run), RECORD_WAIT_MS);
  }

  private announce(run: string): void {
    const record = (): Promise<Record<string, unknown>> =>
      new Promise((resolve) => {
        this.take = resolve;
        this.id = this.send();
      });
    this.el.dispatchEvent(new CustomEvent<RunEnded>(RUN_ENDED, { bubbles: true, composed: true, detail: { run, record } }));
  }
}
