// Tells a person whose notebook is out of sight that a step waits: in the page, in the title of the browser's tab, and on the
// desktop where they permitted it. What is told leads to the card; it decides nothing.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ICommandPalette, Notification as Toast } from "@jupyterlab/apputils";
import { ISettingRegistry } from "@jupyterlab/settingregistry";

import { Notifier } from "./notifier";
import { IActiveRuns, type Run } from "./active-runs";

const ID = "@smolcell/labextension:notify";
const COMMAND = "smolcell:notify-on-desktop";

/** What the person has set. */
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

  /** Keeps it in the settings, where there are any. */
  async choose(desktop: "on" | "off"): Promise<void> {
    this.desktop = desktop;
    await this.settings?.set("desktop", desktop);
  }

  /** Whether a notification would be shown on the desktop now. */
  get onDesktop(): boolean {
    return this.desktop === "on" && permission() === "granted";
  }

  /** Whether the person can be offered that: they have not refused it, here or in their browser. */
  get offersDesktop(): boolean {
    return this.desktop !== "off" && !this.onDesktop && ["default", "granted"].includes(permission());
  }
}

/** Asks the browser for permission, as the person chose; says what came of it. */
export async function chooseDesktop(preferences: NotificationSettings): Promise<void> {
  const permitted = await askPermission();
  if (permitted === "granted") {
    await preferences.choose("on");
    Toast.success("You will be told on the desktop when a step waits in a tab that is hidden.", { autoClose: 5000 });
  } else if (permitted === "denied") {
    const what = `Your browser blocks notifications of ${location.host}. Allow them in its settings for this site, then choose this again.`;
    Toast.error(what, { autoClose: 10_000 });
  } else if (permitted === "none") {
    Toast.warning("Your browser shows no notifications of this page: it must have come by https, or from this machine.", { autoClose: 10_000 });
  }
}

async function turnOff(preferences: NotificationSettings): Promise<void> {
  await preferences.choose("off");
  Toast.info("You are no longer told on the desktop when a step waits.", { autoClose: 5000 });
}

export const notify: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "Tells the person when a step waits in a notebook that is out of sight.",
  autoStart: true,
  requires: [IActiveRuns],
  optional: [ISettingRegistry, ICommandPalette],
  activate: (app: JupyterFrontEnd, activeRuns: IActiveRuns, registry: ISettingRegistry | null, palette: ICommandPalette | null): void => {
    const preferences = new NotificationSettings();
    app.commands.addCommand(COMMAND, {
      label: "Notify on the Desktop When an Agent Waits",
      caption: "Have the browser tell you when a step waits in a tab that is hidden; it asks you for permission",
      isToggleable: true,
      isToggled: () => preferences.onDesktop,
      execute: () => (preferences.onDesktop ? turnOff(preferences) : chooseDesktop(preferences)),
    });
    palette?.addItem({ command: COMMAND, category: "Agents" });
    // Before that no notebook is in sight, whichever will be.
    void app.restored.then(async () => {
      const settings = await registry?.load(ID).catch(() => null);
      const notifier = new Notifier(activeRuns, preferences, (run, text, show) => banner(run, text, show), () => chooseDesktop(preferences));
      app.shell.currentChanged?.connect(() => notifier.look());
      document.addEventListener("visibilitychange", () => notifier.look());
      settings?.changed.connect(() => app.commands.notifyCommandChanged(COMMAND));
      if (settings) preferences.follow(settings, () => notifier.look());
      notifier.look();
    });
  },
};

// --- on the desktop ------------------------------------------------------------------------------------------------------
//
// The browser's own notifications. Shown only where the person has permitted them; asked for only by a click or a key of theirs.

/** What the person has told their browser; "none" where it shows no notifications for this page. */
type Permission = NotificationPermission | "none";

function permission(): Permission {
  return "Notification" in window && window.isSecureContext ? Notification.permission : "none";
}

/** Has the browser ask the person, where they have not decided yet. */
async function askPermission(): Promise<Permission> {
  if (permission() === "default") await Notification.requestPermission();
  return permission();
}

/** A notification that leads to the run. One for each run, however many tabs show it; null where it cannot be shown. */
function banner(run: Run, body: string, show: () => void): Notification | null {
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
    return null; // a browser that has them for service workers alone
  }
}
