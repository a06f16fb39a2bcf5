// Knows what is under way, for the other plugins; puts a lost card back, and saves the notebook when a step waits.

import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { Autosaver } from "./autosave";
import type { KernelLink, RunsChange } from "./kernel-link";
import { cellOf, restoreCard } from "./run-card";
import { IActiveRuns, type Run } from "./active-runs";
import { RunTracker } from "./run-tracker";

const ID = "@smolcell/labextension:attach";

/** What is done with a notebook when its own kernel speaks. */
class NotebookAttachment {
  saving = true;
  private readonly ours = new Set<string>(); // runs whose card this page put back

  constructor(private readonly autosaver: Autosaver) {}

  async attend(panel: NotebookPanel, link: KernelLink, { runs, found }: RunsChange): Promise<void> {
    await panel.revealed;
    if (found) for (const run of runs) if (run.client !== link.kernel.clientId) this.restore(panel, run);
    const here = runs.filter((run) => run.client === link.kernel.clientId || this.ours.has(run.run));
    const pending = here.filter(({ state }) => this.saving && state === "pending");
    await Promise.all(pending.map((run) => this.autosaver.saveWithCard(panel, run, () => waits(link, run))));
  }

  private restore(panel: NotebookPanel, run: Run): void {
    const cell = cellOf(panel, run);
    if (cell !== undefined && restoreCard(cell, run)) this.ours.add(run.run);
  }
}

/** Does this very step still wait? */
function waits(link: KernelLink, { run, step }: Run): boolean {
  return link.runs?.some((one) => one.run === run && one.step === step && one.state === "pending") === true;
}

export const attach: JupyterFrontEndPlugin<IActiveRuns> = {
  id: ID,
  description: "Knows the agents' runs of all kernels, puts lost cards back, and saves a notebook in which a step waits.",
  autoStart: true,
  optional: [INotebookTracker, ISettingRegistry, ILabShell],
  provides: IActiveRuns,
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker | null,
    registry: ISettingRegistry | null,
    lab: ILabShell | null,
  ): IActiveRuns => {
    const attachment = new NotebookAttachment(new Autosaver(app.serviceManager.contents));
    void registry?.load(ID).then((settings) => {
      const take = (): void => {
        attachment.saving = settings.get("saveWhenPending").composite !== false;
      };
      settings.changed.connect(take);
      take();
    });
    return new RunTracker(app, lab, tracker, (panel, link, told) => {
      attachment.attend(panel, link, told).catch((error: unknown) => console.warn("smolcell:", error));
    });
  },
};
