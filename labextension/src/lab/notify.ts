// Notifies the user that a step waits in a notebook that is out of sight: in the page, in the title of the browser's tab, and on the
// desktop if permitted. A notification leads to the card; nothing can be decided in it.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, Notification as Toast } from "@jupyterlab/apputils";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { Notifier } from "./notifier";
import { IActiveRuns } from "./active-runs";
import type { Run } from "./runs";

const ID = "@smolcell/labextension:notify";
const COMMAND = "smolcell:notify-on-desktop";

/** The user's settings. */
export class NotificationSettings {
  inPage = true;
  tabTitle = true;
  desktop: "ask" | "on" | "off" = "ask";
  private settings: ISettingRegistry.ISettings | null = null;

  follow(settings: ISettingRegistry.ISettings, changed: () => void): void {
    this.settings = settings;
    const take = (): void => {
      this.inPage = settings.get("inPage").composite !== false;
      this.tabTitle = settings.get("tabTitle").composite !== false;
      this.desktop = settings.get("desktop").composite as NotificationSettings["desktop"];
      changed();
    };
    settings.changed.connect(take);
    take();
  }

  /** Stores the choice in the settings, if there are any. */
  async choose(desktop: "on" | "off"): Promise<void> {
    this.desktop = desktop;
    await this.settings?.set("desktop", desktop);
  }

  /** Whether a notification would be shown on the desktop now. */
  get onDesktop(): boolean {
    return this.desktop === "on" && permission() === "granted";
  }

  /** Whether to offer desktop notifications: the user has not refused them, here or in the browser. */
  get offersDesktop(): boolean {
    return this.desktop !== "off" && !this.onDesktop && ["default", "granted"].includes(permission());
  }
}

/** Asks the browser for permission, after the user chose it, and shows the result. */
export async function chooseDesktop(preferences: NotificationSettings): Promise<void> {
  const permitted = await askPermission();
  if (permitted === "granted") {
    await preferences.choose("on");
    Toast.success("You will be notified on the desktop when a step waits for approval and its tab is hidden.", { autoClose: 5000 });
  } else if (permitted === "denied") {
    const what = `Your browser blocks notifications from ${location.host}. Allow them in its settings for this site, then choose this again.`;
    Toast.error(what, { autoClose: 10_000 });
  } else if (permitted === "none") {
    Toast.warning("Your browser shows notifications only for pages that are served over https or from this machine.", { autoClose: 10_000 });
  }
}

async function turnOff(preferences: NotificationSettings): Promise<void> {
  await preferences.choose("off");
  Toast.info("You will no longer be notified on the desktop.", { autoClose: 5000 });
}

export const notify: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "Notifies the user when a step waits in a notebook that is out of sight.",
  autoStart: true,
  requires: [IActiveRuns],
  optional: [ISettingRegistry, ICommandPalette],
  activate: (app: JupyterFrontEnd, activeRuns: IActiveRuns, registry: ISettingRegistry | null, palette: ICommandPalette | null): void => {
    const preferences = new NotificationSettings();
    app.commands.addCommand(COMMAND, {
      label: "Notify on the Desktop When an Agent Waits",
      caption: "Show a browser notification when a step waits for approval and its tab is hidden; your browser asks for permission",
      isToggleable: true,
      isToggled: () => preferences.onDesktop,
      execute: () => (preferences.onDesktop ? turnOff(preferences) : chooseDesktop(preferences)),
    });
    palette?.addItem({ command: COMMAND, category: "Agents" });
    // Before the layout is restored, no notebook is visible yet.
    void app.restored.then(async () => {
      const settings = await registry?.load(ID).catch(() => null);
      const notifier = new Notifier(activeRuns, preferences, (run, text, show) => showBanner(run, text, show), () => chooseDesktop(preferences));
      app.shell.currentChanged?.connect(() => notifier.update());
      document.addEventListener("visibilitychange", () => notifier.update());
      settings?.changed.connect(() => app.commands.notifyCommandChanged(COMMAND));
      if (settings) preferences.follow(settings, () => notifier.update());
      notifier.update();
    });
  },
};

// --- on the desktop ------------------------------------------------------------------------------------------------------
//
// Notifications of the browser. Shown only with the user's permission, which is requested only after a click or key of theirs.

/** The browser's permission; "none" if it supports no notifications on this page. */
type Permission = NotificationPermission | "none";

function permission(): Permission {
  return "Notification" in window && window.isSecureContext ? Notification.permission : "none";
}

/** Lets the browser ask the user, if they have not decided yet. */
async function askPermission(): Promise<Permission> {
  if (permission() === "default") await Notification.requestPermission();
  return permission();
}

/** Shows a notification that leads to the run; null if that is not possible. The tag makes it one for each run, also with several tabs. */
function showBanner(run: Run, body: string, show: () => void): Notification | null {
  if (permission() !== "granted") return null;
  try {
    const made = new Notification("A step waits for your approval", { body, tag: `smolcell-${run.run}` });
    made.onclick = () => {
      window.focus();
      show();
      made.close();
    };
    return made;
  } catch {
    return null; // this browser supports them only in service workers
  }
}
