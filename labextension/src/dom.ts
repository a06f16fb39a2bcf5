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
export function button(label: string, look: string, act: () => void, key = ""): HTMLButtonElement {
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

/** A closed `details` element. */
export function fold(summary: Child, ...children: Child[]): HTMLDetailsElement {
  return h("details", "fold", h("summary", "summary", summary), ...children);
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

/** A box whose end is kept in view as it grows, if the person was looking at it. Nothing is measured while it grows. */
export class Following {
  private atEnd = true;
  private asked = false;

  constructor(private readonly el: HTMLElement) {
    el.addEventListener("scroll", () => (this.atEnd = el.scrollTop + el.clientHeight >= el.scrollHeight - 4));
  }

  /** To be called after each change. The end is shown when the page is next drawn, once for any number of changes. */
  grown(): void {
    if (!this.atEnd || this.asked || typeof requestAnimationFrame === "undefined") return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (this.atEnd) this.el.scrollTop = this.el.scrollHeight;
    });
  }
}

/** Text that mostly grows at its end: what is there stays, so that a selection survives and long texts stay quick. */
export class Growing {
  private shown = "";
  private readonly following: Following;

  constructor(readonly el: HTMLElement) {
    el.hidden = true;
    this.following = new Following(el);
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
