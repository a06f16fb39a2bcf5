// The browser's own notifications. Shown only where the person has permitted them; asked for only by a click or a key of theirs.

import type { Run } from "./underway";

/** What the person has told their browser; "none" where it shows no notifications for this page. */
export type Permission = NotificationPermission | "none";

export function permission(): Permission {
  return "Notification" in window && window.isSecureContext ? Notification.permission : "none";
}

/** Has the browser ask the person, where they have not decided yet. */
export async function askPermission(): Promise<Permission> {
  if (permission() === "default") await Notification.requestPermission();
  return permission();
}

/** A notification that leads to the run. One for each run, however many tabs show it; null where it cannot be shown. */
export function banner(run: Run, body: string, show: () => void): Notification | null {
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
