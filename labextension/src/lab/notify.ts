// Tells a person whose notebook is out of sight that a step waits. The notification leads to the card; it decides nothing.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { Notification as Toast } from "@jupyterlab/apputils";
import { type ISettingRegistry as Registry, ISettingRegistry } from "@jupyterlab/settingregistry";

import { IUnderway, nameOf, type Run } from "./underway";

const ID = "@smolcell/labextension:notify";

class Notifier {
  toasts = true;
  browser = false;
  private readonly shown = new Map<string, { step: number; toast: string; banner: Notification | null }>();

  constructor(
    private readonly underway: IUnderway,
    shell: JupyterFrontEnd.IShell,
  ) {
    underway.changed.connect(this.look, this);
    // What comes into sight needs no notification any more.
    shell.currentChanged?.connect(this.look, this);
    document.addEventListener("visibilitychange", () => this.look());
    this.look();
  }

  look(): void {
    const waiting = this.underway.runs.filter(({ state }) => state === "pending");
    for (const [run, { step }] of this.shown) {
      const still = waiting.find((one) => one.run === run && one.step === step);
      if (still === undefined || this.underway.isInSight(still)) this.forget(run);
    }
    for (const run of waiting) {
      if (!this.shown.has(run.run) && !this.underway.isInSight(run)) this.tell(run);
    }
  }

  private tell(run: Run): void {
    const where = nameOf(this.underway.pathOf(run));
    const text = `A step waits for your approval${where === "" ? "" : ` in ${where}`}: ${run.task}`;
    const show = (): void => void this.underway.show(run);
    const actions = [{ label: "Show", callback: show, displayType: "accent" as const }];
    const toast = this.toasts ? Toast.warning(text, { autoClose: false, actions }) : "";
    this.shown.set(run.run, { step: run.step, toast, banner: this.browser ? banner(run, text, show) : null });
  }

  private forget(run: string): void {
    const known = this.shown.get(run);
    this.shown.delete(run);
    if (known?.toast) Toast.dismiss(known.toast);
    known?.banner?.close();
  }
}

/** The browser's own notification, where the person has permitted it. One for each run, however many tabs show it. */
function banner(run: Run, body: string, show: () => void): Notification | null {
  if (!("Notification" in window) || Notification.permission !== "granted") return null;
  const made = new Notification("A step waits for your approval", { body, tag: `smolcell-${run.run}` });
  made.onclick = () => {
    window.focus();
    show();
    made.close();
  };
  return made;
}

function follow(settings: Registry.ISettings, notifier: Notifier): void {
  let known = false; // whether it was on or off is known
  const take = (): void => {
    const wanted = settings.get("browser").composite === true;
    // Asked when the person switches it on, and at no other time.
    if (known && wanted && !notifier.browser && "Notification" in window && Notification.permission === "default") {
      void Notification.requestPermission();
    }
    known = true;
    notifier.browser = wanted;
    notifier.toasts = settings.get("inPage").composite !== false;
  };
  settings.changed.connect(take);
  take();
}

export const notify: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "Tells the person when a step waits in a notebook that is out of sight.",
  autoStart: true,
  requires: [IUnderway],
  optional: [ISettingRegistry],
  activate: (app: JupyterFrontEnd, underway: IUnderway, registry: ISettingRegistry | null): void => {
    // Before that no notebook is in sight, whichever will be.
    void app.restored.then(async () => {
      const settings = await registry?.load(ID).catch(() => null);
      const notifier = new Notifier(underway, app.shell);
      if (settings) follow(settings, notifier);
    });
  },
};
