// Creates DOM nodes. Strings become text nodes: no function here accepts markup, and none that does may be added.

export type Child = Node | string | null | false;

/** Creates an element with classes (each gets the project's prefix) and children; strings become text nodes. */
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

/** Creates a button. `key` is the shortcut that does the same. */
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

/** Creates a checkbox or radio button that keeps its keys from Jupyter's shortcuts. */
export function choiceInput(type: "checkbox" | "radio", classes: string): HTMLInputElement {
  const node = h("input", classes);
  node.type = type;
  node.dataset["lmSuppressShortcuts"] = "true";
  return node;
}

/** Creates a closed `details` element. */
export function fold(summary: Child, ...children: Child[]): HTMLDetailsElement {
  return h("details", "fold", h("summary", "summary", summary), ...children);
}

/** Calls `call` once, when the node is on the page and has a size, so that it can be measured and its events bubble. */
export function whenLaidOut(node: HTMLElement, call: () => void): void {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(() => {
    if (node.clientWidth === 0) return;
    observer.disconnect();
    call();
  });
  observer.observe(node);
}

/** An element that is redrawn only if one of its values has changed. */
export class Slot {
  private before: readonly unknown[] | null = null;

  constructor(readonly el: HTMLElement) {}

  /** Draws if a value has changed; without children the element is hidden. */
  draw(values: readonly unknown[], children: () => Child[]): void {
    if (this.before?.every((value, at) => value === values[at]) && this.before.length === values.length) return;
    this.before = values;
    const kept = children().filter((child): child is Node | string => child !== null && child !== false);
    this.el.replaceChildren(...kept);
    this.el.hidden = kept.length === 0;
  }
}

/**
 * Keeps the end of a growing box in view, unless the user has scrolled up.
 *
 * A scroll event comes a frame after the scrolling. More text may have arrived by then, so the position is compared with
 * the height that was drawn last, not with the current one.
 */
export class StickToEnd {
  private atEnd = true;
  private scheduled = false;
  private drawn = 0; // pixels

  constructor(private readonly el: HTMLElement) {
    el.addEventListener("scroll", () => (this.atEnd = el.scrollTop + el.clientHeight >= Math.min(this.drawn, el.scrollHeight) - 4));
  }

  /** Call it after each change. The box is measured once a frame, for any number of changes. */
  update(): void {
    if (this.scheduled || typeof requestAnimationFrame === "undefined") return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.drawn = this.el.scrollHeight;
      if (this.atEnd) this.el.scrollTop = this.drawn;
    });
  }
}

/** Text that mostly grows at its end: it is appended, so that a selection survives and long texts stay fast. */
export class GrowingText {
  private shown = "";
  private readonly stick: StickToEnd;

  constructor(readonly el: HTMLElement) {
    el.hidden = true;
    this.stick = new StickToEnd(el);
  }

  /** Shows `text`. Keeps the end in view if it was in view; never scrolls anything else. */
  set(text: string): void {
    if (text === this.shown) return;
    if (text.startsWith(this.shown)) this.el.append(text.slice(this.shown.length));
    else this.el.textContent = text;
    this.shown = text;
    this.el.hidden = text === "";
    this.stick.update();
  }
}
