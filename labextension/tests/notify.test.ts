// When the browser is asked whether it may notify: once the person switches that on.

import { Signal } from "@lumino/signaling";
import { expect, test, vi } from "vitest";

vi.mock("@jupyterlab/apputils", () => ({ Notification: {} }));
vi.mock("@jupyterlab/settingregistry", () => ({ ISettingRegistry: null }));

class Settings {
  changed = new Signal<this, void>(this);

  constructor(private browser: boolean) {}

  get(name: string): { composite: boolean } {
    return { composite: name === "browser" ? this.browser : true };
  }

  switch(browser: boolean): void {
    this.browser = browser;
    this.changed.emit();
  }
}

test.each([true, false])("the browser is asked when its notifications are switched on, not when the page is loaded (on before: %s)", async (before) => {
  const asked = vi.fn(() => Promise.resolve("default"));
  vi.stubGlobal("Notification", { permission: "default", requestPermission: asked });
  const { notify } = await import("../src/lab/notify");
  const settings = new Settings(before);
  const underway = { runs: [], changed: new Signal({}) };
  notify.activate({ restored: Promise.resolve(), shell: {} } as never, underway as never, { load: () => Promise.resolve(settings) } as never);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(asked).not.toHaveBeenCalled();
  settings.switch(false);
  settings.switch(true);
  expect(asked).toHaveBeenCalledTimes(1);
  settings.switch(true);
  expect(asked).toHaveBeenCalledTimes(1);
});
