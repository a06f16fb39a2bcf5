// Libraries that the page requests from the kernel when it first needs them: for charts, and for the editor.

export type Library = "plotly" | "vega" | "editor";

/** A DOM event that bubbles from an element that needs a library. The card prevents its default, and calls `take` with the library. */
export const LIBRARY = "smolcell-library";
export interface LibraryRequest {
  name: Library;
  take(code: string): void;
}

/** Requests libraries from the kernel for the parts of a card, once for all cards of the page. */
export class LibraryPart {
  private requests: LibraryRequest[] = [];

  constructor(el: HTMLElement, ask: (name: Library) => void, signal: AbortSignal) {
    const add = (event: CustomEvent<LibraryRequest>): void => {
      const { detail } = event;
      event.preventDefault(); // it is taken
      const asked = this.requests.some(({ name }) => name === detail.name);
      this.requests.push(detail);
      if (!libraries().has(detail.name) && !asked) ask(detail.name);
      this.update(null);
    };
    el.addEventListener(LIBRARY, add as (event: Event) => void, { signal });
  }

  /** Answers the requests that can be answered; `library` is the one that the kernel sent last. */
  update(library: { name: string; code: string } | null): void {
    if (library !== null) libraries().set(library.name, library.code);
    const { requests } = this;
    this.requests = requests.filter(({ name }) => !libraries().has(name));
    for (const { name, take } of requests) {
      const code = libraries().get(name);
      if (code !== undefined) take(code);
    }
  }
}

/** The libraries by name. They are stored on the page, because each card has its own instance of this module. */
function libraries(): Map<string, string> {
  const page = globalThis as { [LIBRARIES]?: Map<string, string> };
  return (page[LIBRARIES] ??= new Map());
}

const LIBRARIES: unique symbol = Symbol.for("smolcell.libraries");
