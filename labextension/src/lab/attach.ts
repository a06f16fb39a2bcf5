// Knows what is under way, for the other plugins; puts a lost card back, and saves the notebook when a step waits.

import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import type { Contents } from "@jupyterlab/services";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import type { Link, Told } from "./link";
import { cellOf, putBack } from "./place";
import { cardThere, save } from "./save";
import { IUnderway, type Run } from "./underway";
import { Watch } from "./watch";

const ID = "@smolcell/labextension:attach";

/** What is done with a notebook when its own kernel speaks. */
class Attendant {
  saving = true;
  private readonly saved = new Set<string>(); // run and step
  private readonly ours = new Set<string>(); // runs whose card this page put back

  constructor(private readonly contents: Contents.IManager) {}

  async attend(panel: NotebookPanel, link: Link, { runs, found }: Told): Promise<void> {
    await panel.revealed;
    for (const run of runs) {
      if (found && run.client !== link.kernel.clientId) this.restore(panel, run);
      if (run.client === link.kernel.clientId || this.ours.has(run.run)) await this.keep(panel, run);
    }
  }

  private restore(panel: NotebookPanel, run: Run): void {
    const cell = cellOf(panel, run);
    if (cell !== undefined && putBack(cell, run)) this.ours.add(run.run);
  }

  private async keep(panel: NotebookPanel, run: Run): Promise<void> {
    const step = `${run.run} ${run.step}`;
    const cell = cellOf(panel, run);
    if (!this.saving || run.state !== "pending" || cell === undefined || this.saved.has(step)) return;
    this.saved.add(step);
    await cardThere(cell, run);
    await save(panel.context, this.contents);
  }
}

export const attach: JupyterFrontEndPlugin<IUnderway> = {
  id: ID,
  description: "Knows the agents' runs of all kernels, puts lost cards back, and saves a notebook in which a step waits.",
  autoStart: true,
  optional: [INotebookTracker, ISettingRegistry, ILabShell],
  provides: IUnderway,
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker | null,
    registry: ISettingRegistry | null,
    lab: ILabShell | null,
  ): IUnderway => {
    const attendant = new Attendant(app.serviceManager.contents);
    void registry?.load(ID).then((settings) => {
      const take = (): void => {
        attendant.saving = settings.get("saveWhenPending").composite !== false;
      };
      settings.changed.connect(take);
      take();
    });
    return new Watch(app, lab, tracker, (panel, link, told) => {
      attendant.attend(panel, link, told).catch((error: unknown) => console.warn("smolcell:", error));
    });
  },
};
