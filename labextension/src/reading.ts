// How much of a program has been on the person's screen.
//
// A line counts as seen when all of its height was in view, at once or piece after piece: a line that is broken into
// many is taller than a window. The browser says what is in view, clipped by everything around it; where it says
// nothing, nothing counts as seen.

type Part = readonly [number, number]; // of a line's height, from 0 to 1

const STEPS = Array.from({ length: 21 }, (_, at) => at / 20);
const WHOLE = 0.94; // rounding, and the last of the steps above

export class Reading {
  private readonly unseen: Set<Element>;
  private readonly parts = new Map<Element, Part>();
  private readonly observer: IntersectionObserver | null;

  /** `changed` is called when more lines have been seen. */
  constructor(
    private readonly lines: readonly HTMLElement[],
    private readonly changed: () => void,
  ) {
    this.unseen = new Set(lines);
    this.observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((seen) => this.see(seen), { threshold: STEPS });
    for (const line of lines) this.observer?.observe(line);
  }

  /** The lines that have not been seen, from 1. */
  get unread(): number[] {
    return this.lines.flatMap((line, at) => (this.unseen.has(line) ? [at + 1] : []));
  }

  /** Brings the first line that was not seen into view. */
  show(): void {
    this.lines.find((line) => this.unseen.has(line))?.scrollIntoView({ block: "start" });
  }

  close(): void {
    this.observer?.disconnect();
  }

  private see(entries: readonly IntersectionObserverEntry[]): void {
    const before = this.unseen.size;
    for (const { target, isIntersecting, boundingClientRect: all, intersectionRect: seen } of entries) {
      if (!isIntersecting || all.height === 0) continue;
      const part = joined(this.parts.get(target), [(seen.top - all.top) / all.height, (seen.bottom - all.top) / all.height]);
      this.parts.set(target, part);
      if (part[1] - part[0] < WHOLE) continue;
      this.unseen.delete(target);
      this.observer?.unobserve(target);
    }
    if (this.unseen.size === 0) this.close();
    if (this.unseen.size < before) this.changed();
  }
}

/** Both parts as one, where they meet; else the greater. */
function joined(before: Part | undefined, now: Part): Part {
  if (before === undefined) return now;
  if (now[0] <= before[1] && before[0] <= now[1]) return [Math.min(before[0], now[0]), Math.max(before[1], now[1])];
  return now[1] - now[0] > before[1] - before[0] ? now : before;
}

const MOST_RANGES = 4;

/** What of `total` lines was not seen, in words; "" where all was. */
export function unreadText(unread: readonly number[], total: number): string {
  if (unread.length === 0) return "";
  if (unread.length === total) return total === 1 ? "The code has not been whole on your screen." : `None of the ${total} lines has been whole on your screen.`;
  const found = ranges(unread);
  const some = found.slice(0, MOST_RANGES).map(([first, last]) => (first === last ? `${first}` : `${first}\u2013${last}`));
  const more = found.length > MOST_RANGES ? " and others" : "";
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
