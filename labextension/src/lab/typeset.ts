// Typesets the formulas of a card's outputs with the application's own typesetter. The card has judged that they are formulas
// and nothing more; links are taken out of what was made of them all the same.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker } from "@jupyterlab/notebook";
import { ILatexTypesetter } from "@jupyterlab/rendermime";

import { TYPESET } from "../core/formula";
import { followNotebooks, onCardEvent } from "./notebooks";

export const typeset: JupyterFrontEndPlugin<void> = {
  id: "@smolcell/labextension:typeset",
  description: "Typesets formulas on the cards of agent runs.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ILatexTypesetter],
  activate: (_app: JupyterFrontEnd, tracker: INotebookTracker, typesetter: ILatexTypesetter | null): void => {
    if (typesetter === null) return;
    followNotebooks(tracker, (panel) =>
      onCardEvent(panel, TYPESET, (event) => {
        const formula = event.target as HTMLElement;
        event.preventDefault();
        unlinked(formula);
        typesetter.typeset(formula);
      }),
    );
  },
};

function unlinked(formula: HTMLElement): void {
  formula.addEventListener("click", (event) => (event.target as Element).closest("a") && event.preventDefault(), { capture: true });
}
