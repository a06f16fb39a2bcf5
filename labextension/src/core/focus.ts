// Manages the keyboard focus of a card during its run, and returns it afterwards.
//
// A click on a button moves the focus into the card; the button is then removed, and without a focused element no shortcut of the
// notebook or of the card works. The card takes the focus only if it is free: no element has it; or the card's own cell has it, but
// not its editor; or the user ran that cell from the keyboard and did nothing since (the notebook has then focused the next cell).

/** Elements that JupyterLab and Notebook get keys from: the cell of the card, or else the whole notebook. */
const FALLBACKS = [".jp-Cell", ".jp-Notebook"];

/** Whether a waiting card may take the focus. */
export function isFree(card: HTMLElement): boolean {
  const { activeElement: active, body } = card.ownerDocument;
  const cell = card.closest(".jp-Cell");
  if (active === null || active === body || active === cell) return true;
  return active.contains(card) && cell?.classList.contains("jp-mod-active") === true;
}

/** An attribute of the cell that was run from the keyboard, until the user does anything else. Set by `lab/keyboard.ts`. */
export const RAN_BY_KEY = "data-smolcell-ran-by-key";

/** Whether the card's cell was run from the keyboard. */
export function ranByKey(card: HTMLElement): boolean {
  return card.closest(".jp-Cell")?.hasAttribute(RAN_BY_KEY) === true;
}

export class CardFocus {
  private from: HTMLElement | null = null;

  constructor(
    private readonly card: HTMLElement,
    signal: AbortSignal,
  ) {
    // In the capture phase: before the notebook handles the click and selects the clicked cell.
    card.addEventListener("pointerdown", () => this.clicked(), { capture: true, signal });
    card.addEventListener("focusin", (event) => this.entered(event.relatedTarget), { signal });
  }

  /** Moves the focus from a button of the card, which may be removed, to the card itself. */
  keep(): void {
    if (this.active?.matches("button") && this.card.contains(this.active)) this.card.focus({ preventScroll: true });
  }

  /** Returns the focus to where it came from, if the card itself has it; not if an element inside the card has it. */
  giveBack(): void {
    if (this.active !== this.card) return;
    for (const place of [this.from, ...FALLBACKS.map((selector) => this.card.closest<HTMLElement>(selector))]) {
      if (place?.isConnected) place.focus({ preventScroll: true });
      if (this.active !== this.card) return;
    }
  }

  /** Whether the card, or an element in it, has the focus. */
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
