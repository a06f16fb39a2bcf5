// What the page needs only sometimes, and asks the kernel for then: what draws charts, and the editor.

export type Library = "plotly" | "vega" | "editor";

/** Goes up from what needs a library; who has it gives it. */
export const LIBRARY = "smolcell-library";
export interface Wanted {
  name: Library;
  take(code: string): void;
}

/** What a card does for its parts: asks the kernel for libraries, once for all cards of the page. */
export class LibraryPart {
  private wanted: Wanted[] = [];

  constructor(el: HTMLElement, ask: (name: Library) => void, signal: AbortSignal) {
    const want = ({ detail }: CustomEvent<Wanted>): void => {
      const asked = this.wanted.some(({ name }) => name === detail.name);
      this.wanted.push(detail);
      if (!libraries().has(detail.name) && !asked) ask(detail.name);
      this.update(null);
    };
    el.addEventListener(LIBRARY, want as (event: Event) => void, { signal });
  }

  /** Gives what is there to those who wait for it; `library` is what the kernel sent last. */
  update(library: { name: string; code: string } | null): void {
    if (library !== null) libraries().set(library.name, library.code);
    const wanted = this.wanted;
    this.wanted = wanted.filter(({ name }) => !libraries().has(name));
    for (const { name, take } of wanted) {
      const code = libraries().get(name);
      if (code !== undefined) take(code);
    }
  }
}

/** Each card is a module of its own: what they share is kept by the page. */
function libraries(): Map<string, string> {
  const page = globalThis as { [KEPT]?: Map<string, string> };
  return (page[KEPT] ??= new Map());
}

const KEPT: unique symbol = Symbol.for("smolcell.libraries");
