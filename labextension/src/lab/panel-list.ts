// A headed list of the panel. A row stays the same node while its thing is there, so that focus and a click under way survive.

import { type Child, h, Slot } from "../core/dom";

/** One thing that is told of a row: what it is, for who does not see where it stands, and what it says; "" is left out. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

interface Row {
  readonly el: HTMLElement;
  readonly about: Slot;
}

export class PanelList {
  readonly el: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly list = h("ul", "panel-list");
  private readonly rows = new Map<string, Row>();

  constructor(private readonly name: string) {
    this.heading = h("h2", "panel-heading", name);
    this.el = h("section", "panel-section", this.heading, this.list);
    this.el.hidden = true;
  }

  /** Shows these things: what a row is made of is asked once for each, what stands below it each time. */
  draw<T>(
    things: readonly T[],
    key: (thing: T) => string,
    made: (thing: T) => { title: string; buttons: HTMLButtonElement[] },
    about: (thing: T) => readonly Part[],
  ): void {
    const before = new Map(this.rows);
    this.rows.clear();
    const kept = things.map((thing) => {
      const row = before.get(key(thing)) ?? this.row(made(thing));
      const parts = about(thing).filter(({ text }) => text !== "");
      row.about.draw(parts.map(({ text }) => text), () => drawn(parts));
      this.rows.set(key(thing), row);
      return row.el;
    });
    if (kept.length !== this.list.children.length || kept.some((el, at) => this.list.children[at] !== el)) {
      this.list.replaceChildren(...kept);
    }
    this.heading.textContent = `${this.name} (${things.length})`;
    this.el.hidden = things.length === 0;
  }

  private row({ title, buttons }: { title: string; buttons: HTMLButtonElement[] }): Row {
    const about = h("div", "panel-about");
    const label = h("div", "panel-title", title);
    label.title = title;
    const el = h("li", "panel-row", h("div", "panel-text", label, about), h("div", "panel-buttons", ...buttons));
    return { el, about: new Slot(about) };
  }
}

/** The parts with dots between; their names are there for who hears them, and for a pointer. */
function drawn(parts: readonly Part[]): Child[] {
  return parts.flatMap(({ name, text }, at) => {
    const part = h("span", `panel-part panel-${name.toLowerCase()}`, h("span", "panel-name", `${name}: `), text);
    part.title = `${name}: ${text}`;
    return at === 0 ? [part] : ["\u00a0\u00b7 ", part];
  });
}
