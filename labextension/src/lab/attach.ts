// Knows what is under way, for the other plugins; puts a lost card back, and saves the notebook when a step waits.

import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { Keeper } from "./autosave";
import type { Link, Told } from "./kernel-link";
import { cellOf, putBack } from "./run-card";
import { IUnderway, type Run } from "./active-runs";
import { Watch } from "./run-tracker";

const ID = "@smolcell/labextension:attach";

/** What is done with a notebook when its own kernel speaks. */
class Attendant {
  saving = true;
  private readonly ours = new Set<string>(); // runs whose card this page put back

  constructor(private readonly keeper: Keeper) {}

  async attend(panel: NotebookPanel, link: Link, { runs, found }: Told): Promise<void> {
    await panel.revealed;
    if (found) for (const run of runs) if (run.client !== link.kernel.clientId) this.restore(panel, run);
    const here = runs.filter((run) => run.client === link.kernel.clientId || this.ours.has(run.run));
    const pending = here.filter(({ state }) => this.saving && state === "pending");
    await Promise.all(pending.map((run) => this.keeper.keep(panel, run, () => waits(link, run))));
  }

  private restore(panel: NotebookPanel, run: Run): void {
    const cell = cellOf(panel, run);
    if (cell !== undefined && putBack(cell, run)) this.ours.add(run.run);
  }
}

/** Does this very step still wait? */
function waits(link: Link, { run, step }: Run): boolean {
  return link.runs?.some((one) => one.run === run && one.step === step && one.state === "pending") === true;
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
    const attendant = new Attendant(new Keeper(app.serviceManager.contents));
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
