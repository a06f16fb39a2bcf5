// A list with a heading in the panel. The row of an item stays the same node, so that the focus and a click in progress survive.

import { type Child, h, Slot } from "../core/dom";

/** One detail of a row: its name, for screen readers and as a tooltip, and its text; details with the text "" are left out. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

interface Row {
  readonly el: HTMLElement;
  readonly details: Slot;
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

  /**
   * Shows these items.
   *
   * @param key identifies an item.
   * @param create returns the title and buttons of a new row.
   * @param describe returns the details of a row; called on each draw.
   */
  draw<T>(
    items: readonly T[],
    key: (item: T) => string,
    create: (item: T) => { title: string; buttons: HTMLButtonElement[] },
    describe: (item: T) => readonly Part[],
  ): void {
    const before = new Map(this.rows);
    this.rows.clear();
    const rows = items.map((item) => {
      const row = before.get(key(item)) ?? this.row(create(item));
      const parts = describe(item).filter(({ text }) => text !== "");
      row.details.draw(parts.map(({ text }) => text), () => partNodes(parts));
      this.rows.set(key(item), row);
      return row.el;
    });
    if (rows.length !== this.list.children.length || rows.some((el, at) => this.list.children[at] !== el)) {
      this.list.replaceChildren(...rows);
    }
    this.heading.textContent = `${this.name} (${items.length})`;
    this.el.hidden = items.length === 0;
  }

  private row({ title, buttons }: { title: string; buttons: HTMLButtonElement[] }): Row {
    const details = h("div", "panel-about");
    const label = h("div", "panel-title", title);
    label.title = title;
    const el = h("li", "panel-row", h("div", "panel-text", label, details), h("div", "panel-buttons", ...buttons));
    return { el, details: new Slot(details) };
  }
}

/** The details with dots between; their names are for screen readers and tooltips. */
function partNodes(parts: readonly Part[]): Child[] {
  return parts.flatMap(({ name, text }, at) => {
    const part = h("span", `panel-part panel-${name.toLowerCase()}`, h("span", "panel-name", `${name}: `), text);
    part.title = `${name}: ${text}`;
    return at === 0 ? [part] : ["\u00a0\u00b7 ", part];
  });
}
