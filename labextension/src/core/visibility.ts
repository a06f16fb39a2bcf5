// Tracks since when the user has been able to see and reach the controls, for `decision-input.ts`.

import { clickCounts, keyCounts, SETTLE_MS, type Visibility, takesText } from "./decision-input";

const ALWAYS = Number.NEGATIVE_INFINITY;
const LOOK_MS = 200; // between two looks at where the controls are; every click looks, too
const MOVED_PX = 1;
const SCROLL_MS = 500; // after a key, a wheel's turn or a touch, in which the page scrolls by it

/** The place of the controls: in the window, and on the page, which the user's scrolling does not change; in pixels. */
interface Place {
  inWindow: readonly number[];
  onPage: readonly number[];
  /** Editing hides the code above: the user moves the controls by that. */
  mode: string | undefined;
}

export class VisibilityTracker {
  readonly facts: Visibility = { drawn: null, still: ALWAYS, pageVisible: null, windowFocused: null, inView: null, cardFocused: null };
  private readonly observer: IntersectionObserver | null;
  private watched: HTMLElement | null = null;
  private place: Place | null = null;
  private looking: ReturnType<typeof setInterval> | undefined;
  private input = ALWAYS; // when the user last did what may scroll

  /** `changed` is called when a click or a key may have started or stopped to count. */
  constructor(
    private readonly root: HTMLElement,
    private readonly changed: () => void,
    signal: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.facts.pageVisible = document.visibilityState === "hidden" ? null : ALWAYS;
    // Inside a frame the window's focus changes with every click; only the top window could tell.
    const top = window.top === window;
    this.facts.windowFocused = !top || document.hasFocus() ? ALWAYS : null;
    if (top) this.watchWindow(signal);
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) window.addEventListener(kind, (event) => this.acted(event), { signal, capture: true, passive: true });
    window.addEventListener("scroll", () => this.look(), { signal, capture: true, passive: true });
    document.addEventListener("visibilitychange", () => this.set("pageVisible", document.visibilityState !== "hidden"), { signal });
    root.addEventListener("focusin", (event) => this.focused(event), { signal });
    root.addEventListener("focusout", (event) => this.left(event), { signal });
    this.observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((seen) => this.seen(seen));
    signal.addEventListener("abort", () => this.watch(null));
  }

  /** Observes these controls from now on; null for none. */
  watch(controls: HTMLElement | null): void {
    this.observer?.disconnect();
    clearInterval(this.looking);
    this.watched = controls;
    this.place = null;
    if (controls !== null) this.follow(controls);
    this.facts.inView = this.observer === null ? ALWAYS : null;
    this.set("drawn", controls !== null, true);
    if (controls !== null) this.observer?.observe(controls);
  }

  clickCounts(): boolean {
    this.look();
    return clickCounts(this.facts, this.now());
  }

  keyCounts(): boolean {
    this.look();
    return keyCounts(this.facts, this.now());
  }

  /** Restarts the wait after a key that does not count, so that typing cannot approve anything. */
  restartWait(): void {
    if (this.facts.cardFocused !== null) this.set("cardFocused", true, true);
  }

  private follow(controls: HTMLElement): void {
    this.looking = setInterval(() => this.look(), LOOK_MS);
    const begin = (): void => {
      if (this.watched === controls) this.place = placeOf(controls);
    };
    if (typeof requestAnimationFrame !== "undefined") requestAnimationFrame(() => requestAnimationFrame(begin)); // in the first frame the steps get their size
  }

  /** Restarts the wait if the controls have moved in the window, and not because the user scrolled. */
  private look(): void {
    if (this.watched === null || this.place === null) return;
    const before = this.place;
    const now = (this.place = placeOf(this.watched));
    if (before.mode !== now.mode) return;
    const scrolled = !differ(before.onPage, now.onPage) && this.now() - this.input < SCROLL_MS; // else a script has, such as one in a frame
    if (differ(before.inWindow, now.inWindow) && !scrolled) this.set("still", true, true);
  }

  /** Notes that the user acts. What has moved before a key or click is not by this; a wheel's turn may be told after the page has moved. */
  private acted(event: Event): void {
    if (!event.isTrusted) return;
    if (event.type === "keydown" || event.type === "pointerdown") this.look();
    this.input = this.now();
  }

  private watchWindow(signal: AbortSignal): void {
    window.addEventListener("focus", () => this.set("windowFocused", true), { signal });
    window.addEventListener("blur", () => this.set("windowFocused", false), { signal });
  }

  private focused(event: FocusEvent): void {
    const from = event.relatedTarget;
    const fromInside = from instanceof Node && this.root.contains(from) && !takesText(from);
    if (!fromInside) this.set("cardFocused", true, true);
  }

  private left(event: FocusEvent): void {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !this.root.contains(to)) this.set("cardFocused", false);
  }

  private seen(entries: IntersectionObserverEntry[]): void {
    const last = entries.findLast((entry) => entry.target === this.watched);
    if (last !== undefined) this.set("inView", last.isIntersecting);
  }

  private set(fact: keyof Visibility, holds: boolean, again = false): void {
    const before = this.facts[fact];
    if (!holds) this.facts[fact] = null;
    else if (before === null || again) this.facts[fact] = this.now();
    this.changed();
    if (holds) setTimeout(this.changed, SETTLE_MS + 5);
  }
}

function placeOf(node: HTMLElement): Place {
  const { left, top } = node.getBoundingClientRect();
  let [x, y] = [left, top];
  for (let up: Node | null = node.parentNode; up !== null; up = up instanceof ShadowRoot ? up.host : up.parentNode) {
    if (up instanceof Element) [x, y] = [x + up.scrollLeft, y + up.scrollTop];
  }
  return { inWindow: [left, top], onPage: [x, y], mode: node.dataset["mode"] };
}

function differ(before: readonly number[], now: readonly number[]): boolean {
  return before.some((value, axis) => Math.abs(value - (now[axis] ?? value)) > MOVED_PX);
}
