// Typesets the formulas of a card's outputs with the application's typesetter. The card has checked that they contain no links;
// links in the result are disabled nevertheless.

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
        disableLinks(formula);
        typesetter.typeset(formula);
      }),
    );
  },
};

function disableLinks(formula: HTMLElement): void {
  formula.addEventListener("click", (event) => (event.target as Element).closest("a") && event.preventDefault(), { capture: true });
}
