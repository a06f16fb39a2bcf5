// The cards in the notebooks that are open, also those that are out of sight and not in the page.

import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";

/** A card, and where it is. */
export interface Place {
  panel: NotebookPanel;
  cell: number;
  card: HTMLElement;
}

/** The cards in which there is something of this selector; the current notebook's first. */
export function cardsWith(tracker: INotebookTracker, selector: string): Place[] {
  const panels: NotebookPanel[] = [];
  tracker.forEach((panel) => (panel === tracker.currentWidget ? panels.unshift(panel) : panels.push(panel)));
  return panels.flatMap((panel) =>
    panel.content.widgets.flatMap((cell, at) => {
      const cards = [...cell.node.querySelectorAll<HTMLElement>(".smolcell-card")];
      return cards.filter((card) => card.querySelector(selector) !== null).map((card) => ({ panel, cell: at, card }));
    }),
  );
}

/** Shows a card and puts the focus on it; what of it matches the selector comes into view. */
export async function goTo({ panel, cell, card }: Place, selector: string): Promise<void> {
  panel.content.activeCellIndex = cell;
  panel.content.mode = "command";
  await panel.content.scrollToItem(cell, "smart");
  card.focus({ preventScroll: true });
  card.querySelector(selector)?.scrollIntoView({ block: "nearest" });
}
