// Making nodes. Text only ever becomes text: nothing here takes markup, and nothing may be added that does.

export type Child = Node | string | null | false;

/** An element with classes (each gets the project's prefix) and children; strings become text nodes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  classes: string,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (classes !== "") node.className = classes.split(" ").map((name) => `smolcell-${name}`).join(" ");
  node.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return node;
}

/** A labelled button. `key` is the shortcut that does the same. */
export function button(label: string, look: string, act: (event: MouseEvent) => void, key = ""): HTMLButtonElement {
  const node = h("button", `button ${look}`, label);
  node.type = "button";
  if (key !== "") {
    const hint = h("kbd", "key", key);
    hint.setAttribute("aria-hidden", "true");
    node.append(" ", hint);
    node.setAttribute("aria-keyshortcuts", key);
  }
  node.addEventListener("click", act);
  return node;
}

/** A box or a dot to be chosen. Its keys are its own: Jupyter's shortcuts look for the mark on the element that has the focus. */
export function choiceInput(type: "checkbox" | "radio", classes: string): HTMLInputElement {
  const node = h("input", classes);
  node.type = type;
  node.dataset["lmSuppressShortcuts"] = "true";
  return node;
}

/** A closed `details` element. */
export function fold(summary: Child, ...children: Child[]): HTMLDetailsElement {
  return h("details", "fold", h("summary", "summary", summary), ...children);
}

/** Calls once, when the node is on the page and has a size: what is measured, or goes up from it, works from then on. */
export function whenLaidOut(node: HTMLElement, call: () => void): void {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(() => {
    if (node.clientWidth === 0) return;
    observer.disconnect();
    call();
  });
  observer.observe(node);
}

/** A place in the page that is drawn again only when one of its values is another than before. */
export class Slot {
  private before: readonly unknown[] | null = null;

  constructor(readonly el: HTMLElement) {}

  /** Draws, if something changed; no children hides the place. */
  draw(values: readonly unknown[], children: () => Child[]): void {
    if (this.before?.every((value, at) => value === values[at]) && this.before.length === values.length) return;
    this.before = values;
    const kept = children().filter((child): child is Node | string => child !== null && child !== false);
    this.el.replaceChildren(...kept);
    this.el.hidden = kept.length === 0;
  }
}

/**
 * Keeps the end of a growing box in view, unless the person has scrolled up.
 *
 * A scroll event comes a frame after the scrolling. More text may have arrived by then, so the position is compared with
 * the height that was last drawn, not with the present one.
 */
export class StickToEnd {
  private atEnd = true;
  private asked = false;
  private drawn = 0; // pixels

  constructor(private readonly el: HTMLElement) {
    el.addEventListener("scroll", () => (this.atEnd = el.scrollTop + el.clientHeight >= Math.min(this.drawn, el.scrollHeight) - 4));
  }

  /** To be called after each change. The box is measured once a frame, for any number of changes. */
  grown(): void {
    if (this.asked || typeof requestAnimationFrame === "undefined") return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.drawn = this.el.scrollHeight;
      if (this.atEnd) this.el.scrollTop = this.drawn;
    });
  }
}

/** Text that mostly grows at its end: what is there stays, so that a selection survives and long texts stay quick. */
export class GrowingText {
  private shown = "";
  private readonly following: StickToEnd;

  constructor(readonly el: HTMLElement) {
    el.hidden = true;
    this.following = new StickToEnd(el);
  }

  /** Shows `text`; follows the end if the person was looking at the end, and never moves anything else. */
  set(text: string): void {
    if (text === this.shown) return;
    if (text.startsWith(this.shown)) this.el.append(text.slice(this.shown.length));
    else this.el.textContent = text;
    this.shown = text;
    this.el.hidden = text === "";
    this.following.grown();
  }
}
