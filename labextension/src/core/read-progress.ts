// Tracks which lines of a program have been on the user's screen.
//
// A line counts as seen when its whole height was in view, at once or in parts: a wrapped line can be taller than the window.
// The browser reports what is in view; without its report nothing counts as seen. A line covered by another element, such as
// a dialog, does not count either.

type Part = readonly [number, number]; // start and end as fractions of a line's height

const STEPS = Array.from({ length: 21 }, (_, at) => at / 20);
const WHOLE = 0.94; // a fraction that counts as all; less than the last but one step above, because of rounding
const RECHECK_MS = 250; // until lines in view that were not seen completely are checked again
const COLUMNS = 4; // of points that are tested for covers
const MAX_ROW_PX = 16; // between two rows of points

/** `isVisible` is of version 2 of the API, which not every browser supports. */
type Seen = IntersectionObserverEntry & { readonly isVisible?: boolean };
const OPTIONS: IntersectionObserverInit & { trackVisibility: boolean; delay: number } = { threshold: STEPS, trackVisibility: true, delay: 100 };

export class ReadProgress {
  private readonly unseen: Set<Element>;
  private readonly parts = new Map<Element, Part>();
  private readonly pending = new Set<Element>();
  private closed = false;
  private readonly observer: IntersectionObserver | null;

  /** `changed` is called when more lines have been seen. */
  constructor(
    private readonly lines: readonly HTMLElement[],
    private readonly changed: () => void,
  ) {
    this.unseen = new Set(lines);
    this.observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((seen) => this.see(seen), OPTIONS);
    for (const line of lines) this.observer?.observe(line);
  }

  /** The numbers of the lines that have not been seen, from 1. */
  get unread(): number[] {
    return this.lines.flatMap((line, at) => (this.unseen.has(line) ? [at + 1] : []));
  }

  /** Scrolls to the first line that was not seen. */
  showUnread(): void {
    this.lines.find((line) => this.unseen.has(line))?.scrollIntoView({ block: "start" });
  }

  close(): void {
    this.closed = true;
    this.observer?.disconnect();
  }

  private addPart(line: Element, seen: Part): void {
    const part = mergeParts(this.parts.get(line), seen);
    this.parts.set(line, part);
    if (part[1] - part[0] < WHOLE) return;
    this.unseen.delete(line);
    this.observer?.unobserve(line);
  }

  /**
   * Schedules a line to be observed again; all scheduled lines are handled together. Needed because the observer does not
   * report that a cover was removed, nor that a line taller than the window was scrolled.
   */
  private recheck(line: Element): void {
    if (this.pending.size === 0) setTimeout(() => this.observePending(), RECHECK_MS);
    this.pending.add(line);
  }

  private observePending(): void {
    for (const line of this.closed ? [] : this.pending) {
      if (!this.unseen.has(line)) continue;
      this.observer?.unobserve(line);
      this.observer?.observe(line);
    }
    this.pending.clear();
  }

  private see(entries: readonly Seen[]): void {
    const before = this.unseen.size;
    for (const entry of entries) {
      const { target, isIntersecting, boundingClientRect: all, intersectionRect: seen } = entry;
      if (!isIntersecting || all.height === 0) continue;
      if (!isCovered(entry)) this.addPart(target, [(seen.top - all.top) / all.height, (seen.bottom - all.top) / all.height]);
      if (this.unseen.has(target)) this.recheck(target);
    }
    if (this.unseen.size === 0) this.close();
    if (this.unseen.size < before) this.changed();
  }
}

/**
 * Whether another element covers the part of a line that is in view.
 *
 * `isVisible` is about the whole line. If the line is partly outside the window, or the browser does not support it, points of
 * the part in view are tested; that misses a cover that lets clicks through.
 */
function isCovered({ target, isVisible, intersectionRatio, intersectionRect: seen }: Seen): boolean {
  if (isVisible === true) return false;
  if (isVisible === false && intersectionRatio >= WHOLE) return true;
  const root = target.getRootNode() as Document | ShadowRoot;
  const columns = points(seen.left, seen.right, COLUMNS);
  const rows = points(seen.top, seen.bottom, Math.ceil(seen.height / MAX_ROW_PX));
  return rows.some((y) => columns.some((x) => !target.contains(root.elementFromPoint(x, y))));
}

/** `count` evenly spaced points between two edges. */
function points(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + ((at + 0.5) * (to - from)) / count);
}

/** The union of both parts if they touch, else the larger one. */
function mergeParts(before: Part | undefined, now: Part): Part {
  if (before === undefined) return now;
  if (now[0] <= before[1] && before[0] <= now[1]) return [Math.min(before[0], now[0]), Math.max(before[1], now[1])];
  return now[1] - now[0] > before[1] - before[0] ? now : before;
}

const MAX_RANGES = 4;

/** A sentence about the unseen ones of `total` lines; "" if all were seen. */
export function unreadText(unread: readonly number[], total: number): string {
  if (unread.length === 0) return "";
  if (unread.length === total) return total === 1 ? "The code has not been whole on your screen." : `None of the ${total} lines has been whole on your screen.`;
  const found = ranges(unread);
  const some = found.slice(0, MAX_RANGES).map(([first, last]) => (first === last ? `${first}` : `${first}\u2013${last}`));
  const more = found.length > MAX_RANGES ? " and others" : "";
  const one = unread.length === 1;
  return `${one ? "Line" : "Lines"} ${some.join(", ")}${more} of ${total} ${one ? "has" : "have"} not been on your screen.`;
}

function ranges(numbers: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const n of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}
