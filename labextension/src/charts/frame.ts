// Runs in a chart's frame, which has no origin and no network: draws the specification in the document, and reports the chart's
// height and picture to the page. `core/chart.ts` creates the document.

/** Draws the specification in this element. Returns a function that gives the picture as a data URL, scaled by `scale`. */
export type Draw = (place: HTMLElement, spec: never) => Promise<(scale: number) => Promise<string>>;

// Browsers run no animation frames in a frame that is out of view. The chart is drawn there, too, because its picture is saved.
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

export function drawChart(draw: Draw): void {
  // A click on a link would only replace the chart by an error.
  for (const kind of ["click", "auxclick"]) addEventListener(kind, (event) => event.composedPath().some((node) => (node as Element).localName === "a") && event.preventDefault(), true);
  const place = document.getElementById("chart") as HTMLElement;
  const post = (message: object): void => window.parent.parent.postMessage(message, "*");
  const drawAndReport = async (): Promise<void> => {
    const picture = await draw(place, JSON.parse(document.getElementById("spec")?.textContent ?? "") as never);
    const { width, height } = place.getBoundingClientRect();
    post({ height: Math.ceil(height) });
    const url = await picture(Math.min(1, Math.sqrt(MAX_PIXELS / Math.max(1, width * height))));
    post({ picture: url.replace(/^data:image\/png;base64,/, "") });
  };
  drawAndReport().catch((error: unknown) => post({ fault: String(error).slice(0, 300) }));
}
