// Charts: which specifications are drawn, and the document of the frame that draws them.

import { describe, expect, it } from "vitest";
import { frameDocument, libraryOf, readSpecification } from "../../src/core/chart";
import { asked, observed, Page, proposal } from "../page";

const PLOTLY = "application/vnd.plotly.v1+json";

describe("a specification", () => {
  it.each([
    [PLOTLY, "plotly"],
    ["application/vnd.vega.v6+json", "vega"],
    ["application/vnd.vegalite.v5+json", "vega"],
    ["application/vnd.plotly.v2+json", undefined],
    ["application/json", undefined],
  ])("of the type %s is drawn by %s", (mime, library) => expect(libraryOf(mime)).toBe(library));

  const figure = (given: object): unknown => JSON.parse(readSpecification("plotly", JSON.stringify({ data: [{}], layout: {}, ...given })) ?? "null");

  it("of Plotly is cleaned of settings, links and URLs", () => {
    const own = { source: "data:image/png;base64,AAAA" };
    const images = [{ source: "http://evil.test/a.png" }, { source: "data:image/svg+xml,<svg>" }, own, null];
    const link = "<b>x</b><a href='http://evil.test'>y</a><A\nhref=z>";
    const layout = { images, title: { text: link }, map: { style: "http://evil.test" }, mapbox2: {}, template: { layout: { images } } };
    expect(figure({ layout, config: { plotlyServerURL: "http://evil.test" }, data: [{ type: "heatmap", text: [link] }] })).toEqual({
      data: [{ type: "heatmap", text: ["<b>x</b>y"] }],
      layout: { images: [own], title: { text: "<b>x</b>y" }, template: { layout: { images: [own] } } },
      frames: [],
    });
  });

  it.each(["scattergeo", "choropleth", "choroplethmap", "scattermapbox", "densitymap"])("of Plotly with a map (%s) is not drawn", (type) => {
    expect(figure({ data: [{ type }] })).toBe(null);
  });

  it.each(["{", "null", "[]", '"x"', "1", '{"data": []}', '{"data": {}}', '{"data": [1]}', `{"data": [{"x": "${"x".repeat(3_000_000)}"}]}`, `${'{"data":['.repeat(90_000)}`])(
    "that is none is not drawn: %#",
    (text) => expect(readSpecification("plotly", text)).toBe(null),
  );

  it("cannot end its script element", () => {
    expect(readSpecification("vega", '{"mark": "</script><script>"}')).toBe('{"mark":"\\u003c/script>\\u003cscript>"}');
  });
});

describe("the frame's document", () => {
  const held = (code: string, spec: string): Document => {
    const outer = new DOMParser().parseFromString(frameDocument(code, spec), "text/html");
    expect(outer.querySelectorAll("script, [src]")).toHaveLength(0);
    expect(outer.querySelector("iframe")?.getAttribute("sandbox")).toBe("allow-scripts");
    const inner = new DOMParser().parseFromString(outer.querySelector("iframe")?.getAttribute("srcdoc") ?? "", "text/html");
    const [policy, around] = [inner, outer].map((one) => one.querySelector("meta[http-equiv]")?.getAttribute("content"));
    expect(policy).toBe(around);
    expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[0-9a-f]{16,32}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'$/);
    return inner;
  };

  it("contains the library and the specification unchanged", () => {
    const inner = held('draw("&amp; </script> <!-- \'", 1 < 2)', '{"a":"&quot; \\u003c"}');
    expect([...inner.querySelectorAll("script")].map((script) => script.textContent)).toEqual(['{"a":"&quot; \\u003c"}', 'draw("&amp; \\x3c/script> \\x3c!-- \'", 1 < 2)']);
  });

  it("has another nonce each time", () => {
    const nonce = (): string => /nonce-(\w+)/.exec(frameDocument("", "{}"))?.[1] ?? "";
    expect(nonce()).not.toBe(nonce());
  });
});

describe("on the card", () => {
  it("a chart is shown as text until it is drawn, or if nothing draws it", () => {
    const page = new Page();
    page.push(asked, proposal(1, "x"), observed({ outputs: [{ data: { [PLOTLY]: '{"data": [{}]}', "text/plain": "a figure" } }] }));
    expect(page.el.querySelector(".smolcell-chart")?.textContent).toBe("a figure");
    expect(page.el.querySelectorAll("iframe")).toHaveLength(0);
  });

  it("a chart that cannot be drawn is shown as its picture, else as text", () => {
    const page = new Page();
    const picture = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQAAAAC1D1u3";
    page.push(asked, proposal(1, "x"), observed({ outputs: [{ data: { [PLOTLY]: "{", "text/plain": "a figure", "image/png": picture } }, { data: { [PLOTLY]: "{", "text/plain": "text" } }] }));
    expect(page.el.querySelectorAll("img")).toHaveLength(1);
    expect(page.el.querySelector(".smolcell-result")?.textContent).toBe("text");
  });
});
