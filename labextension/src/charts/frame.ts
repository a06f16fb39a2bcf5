// Runs in a chart's frame, which has no origin and no network: draws the specification that lies in the document, and tells the
// page the chart's height and its picture. `core/chart.ts` makes the document.

/** Draws the specification in this place. Gives the picture as a data URL, with so many of its pixels for each of the page. */
export type Draw = (place: HTMLElement, spec: never) => Promise<(scale: number) => Promise<string>>;

// Browsers draw no animation frames of a frame that is out of sight. The chart is drawn there, too: its picture is saved.
const [next, cancel] = [window.requestAnimationFrame.bind(window), window.cancelAnimationFrame.bind(window)];
const timers = new Map<number, ReturnType<typeof setTimeout>>();
window.requestAnimationFrame = (call) => {
  const once = (time: number): void => {
    window.cancelAnimationFrame(id);
    call(time);
  };
  const id = next(once);
  timers.set(id, setTimeout(() => once(performance.now()), 250));
  return id;
};
window.cancelAnimationFrame = (id) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  cancel(id);
};

const MAX_PIXELS = 4_000_000; // of a picture

export function run(draw: Draw): void {
  // Links lead nowhere: a click on one would only replace the chart by an error.
  for (const kind of ["click", "auxclick"]) addEventListener(kind, (event) => event.composedPath().some((node) => (node as Element).localName === "a") && event.preventDefault(), true);
  const place = document.getElementById("chart") as HTMLElement;
  const tell = (message: object): void => window.parent.parent.postMessage(message, "*");
  const drawn = async (): Promise<void> => {
    const picture = await draw(place, JSON.parse(document.getElementById("spec")?.textContent ?? "") as never);
    const { width, height } = place.getBoundingClientRect();
    tell({ height: Math.ceil(height) });
    const url = await picture(Math.min(1, Math.sqrt(MAX_PIXELS / Math.max(1, width * height))));
    tell({ picture: url.replace(/^data:image\/png;base64,/, "") });
  };
  drawn().catch((error: unknown) => tell({ fault: String(error).slice(0, 300) }));
}
