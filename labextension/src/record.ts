// Tells the notebook that a run is over, and fetches the run's record where the notebook has missed it.

import { OVER, type Over } from "./export";
import type { Feed } from "./feed";

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
    this.el.dispatchEvent(new CustomEvent<Over>(OVER, { bubbles: true, composed: true, detail: { run, record } }));
  }
}
