// The keyboard focus that the card has while its run goes on, and where it came from.
//
// A click on a button moves the focus into the card; the button is then removed, and without a focused element no shortcut of the
// notebook or of the card works. The card takes the focus only if it is free: nothing has it; or the card's own cell has it and no
// editor; or the person ran that cell from the keyboard and has done nothing since (the notebook has then focused the next cell).

/** Where Lab and Notebook hear their keys: the cell the card is in, or else the whole notebook. */
const PLACES = [".jp-Cell", ".jp-Notebook"];

/** Whether a waiting card may take the focus. */
export function isFree(card: HTMLElement): boolean {
  const { activeElement: active, body } = card.ownerDocument;
  const cell = card.closest(".jp-Cell");
  if (active === null || active === body || active === cell) return true;
  return active.contains(card) && cell?.classList.contains("jp-mod-active") === true;
}

/** On the cell that was run from the keyboard, until the person does anything else; set by the notebook's extension. */
export const RAN_BY_KEY = "data-smolcell-ran-by-key";

/** Is the card in that cell? */
export function ranByKey(card: HTMLElement): boolean {
  return card.closest(".jp-Cell")?.hasAttribute(RAN_BY_KEY) === true;
}

export class CardFocus {
  private from: HTMLElement | null = null;

  constructor(
    private readonly card: HTMLElement,
    signal: AbortSignal,
  ) {
    // Before the notebook hears of the click, and selects the cell that was clicked into.
    card.addEventListener("pointerdown", () => this.clicked(), { capture: true, signal });
    card.addEventListener("focusin", (event) => this.entered(event.relatedTarget), { signal });
  }

  /** Moves the focus from a button of the card, which may go, to the card itself. */
  keep(): void {
    if (this.active?.matches("button") && this.card.contains(this.active)) this.card.focus({ preventScroll: true });
  }

  /** Gives the focus back, if the card itself has it: not when the person reads on with it inside of the card. */
  giveBack(): void {
    if (this.active !== this.card) return;
    for (const place of [this.from, ...PLACES.map((selector) => this.card.closest<HTMLElement>(selector))]) {
      if (place?.isConnected) place.focus({ preventScroll: true });
      if (this.active !== this.card) return;
    }
  }

  /** Has the card the focus, or something in it? */
  get isHere(): boolean {
    return this.active !== null && this.card.contains(this.active);
  }

  private get active(): Element | null {
    const root = this.card.getRootNode();
    return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  }

  private clicked(): void {
    const { active } = this;
    if (active !== null && active !== document.body && active.contains(this.card) && active !== this.card) this.from = null;
    else this.entered(active);
  }

  private entered(from: EventTarget | null): void {
    const elsewhere = from instanceof HTMLElement && !from.contains(this.card) && !this.card.contains(from);
    if (elsewhere) this.from = from;
  }
}
