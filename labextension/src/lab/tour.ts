// The tour of agent cells: four notes in a corner of the page. It takes the focus only if the user started it.

import { button, type Child, h } from "../core/dom";

interface Stop {
  title: string;
  text: () => Child[];
  /** A selector for the part of the page to outline; "" for none. */
  target: string;
}

const code = (text: string): HTMLElement => h("code", "", text);

const STOPS: readonly Stop[] = [
  {
    title: "Give a task",
    text: () => ["A cell that starts with ", code("%%agent"), " holds a task in plain words. Run it like any cell. ", code("-i sales"), " passes a copy of your variable ", code("sales"), ", ", code("-o answer"), " assigns the answer."],
    target: "",
  },
  {
    title: "Read, then decide",
    text: () => ["The model writes Python for it, step by step. Each program is shown on a card before it runs: approve it, edit it, refuse it with a comment, or stop. Without your answer nothing runs."],
    target: ".smolcell-card",
  },
  {
    title: "Where the code runs",
    text: () => ["In a sandbox beside your notebook, which ends with the kernel. If a step went wrong, press ", h("em", "", "Go back to here"), " on an earlier step. The panel ", h("em", "", "Agents"), " (Alt+Shift+A) shows what waits, what runs, and the open sandboxes."],
    target: '.jp-SideBar [data-id="smolcell-panel"]',
  },
  {
    title: "Choose a model",
    text: () => ["Write ", code("-m ollama/qwen2.5-coder"), " after ", code("%%agent"), " for a model on your machine, or the name of a provider\u2019s model. ", code("%agent doctor"), " checks it, ", code("%%agent?"), " lists all options, and ", code("smolcell docs"), " in a terminal opens the documentation."],
    target: "",
  },
];

const OUTLINED = "smolcell-tour-place";

export class Tour {
  readonly el = h("section", "tour");
  private readonly count = h("p", "tour-count");
  private readonly title = h("h2", "tour-title");
  private readonly text = h("p", "tour-text");
  private readonly skip = button("Skip tour", "tour-skip", () => this.end());
  private readonly back = button("Back", "tour-back", () => this.go(this.at - 1));
  private readonly next = button("Next", "primary tour-next", () => this.go(this.at + 1));
  private at = 0;
  private before: Element | null = null;

  /** @param ended is called when the user presses Done, Skip tour or Escape. */
  constructor(private readonly ended: () => void) {
    this.title.id = "smolcell-tour-title";
    this.el.setAttribute("role", "dialog");
    this.el.setAttribute("aria-labelledby", this.title.id);
    const note = h("div", "tour-said", this.count, this.title, this.text);
    note.setAttribute("aria-live", "polite");
    this.el.append(note, h("div", "tour-buttons", this.skip, this.back, this.next));
    this.el.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.end();
    });
  }

  /** Shows the first note. `focus`: move the focus to it, because the user asked for the tour. */
  open(focus: boolean): void {
    if (!this.el.isConnected) {
      this.before = document.activeElement;
      document.body.append(this.el);
    }
    this.go(0);
    if (focus) this.next.focus();
  }

  private go(to: number): void {
    const stop = STOPS[to];
    if (stop === undefined) return this.end();
    const had = document.activeElement;
    this.at = to;
    this.count.textContent = `Step ${to + 1} of ${STOPS.length}`;
    this.title.textContent = stop.title;
    this.text.replaceChildren(...(stop.text() as (Node | string)[]));
    const last = to === STOPS.length - 1;
    this.next.textContent = last ? "Done" : "Next";
    this.skip.hidden = last;
    this.back.hidden = to === 0;
    if (had instanceof HTMLElement && had.hidden && this.el.contains(had)) this.next.focus();
    this.outline(stop.target);
  }

  private outline(target: string): void {
    for (const node of document.querySelectorAll(`.${OUTLINED}`)) node.classList.remove(OUTLINED);
    if (target !== "") document.querySelector(target)?.classList.add(OUTLINED);
  }

  private end(): void {
    const focused = this.el.contains(document.activeElement);
    this.outline("");
    this.el.remove();
    if (focused && this.before instanceof HTMLElement) this.before.focus();
    this.ended();
  }
}
