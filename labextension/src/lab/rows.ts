// A headed list of the panel. A row stays the same node while its thing is there, so that focus and a click under way survive.

import { h } from "../dom";

interface Row {
  readonly el: HTMLElement;
  readonly about: HTMLElement;
}

export class Rows {
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
    about: (thing: T) => string,
  ): void {
    const before = new Map(this.rows);
    this.rows.clear();
    const kept = things.map((thing) => {
      const row = before.get(key(thing)) ?? this.row(made(thing));
      row.about.textContent = about(thing);
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
    return { el, about };
  }
}
