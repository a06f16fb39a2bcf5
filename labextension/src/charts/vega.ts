// Draws charts of Vega and Vega-Lite. Expressions are interpreted, not evaluated as code, and nothing is loaded.

import { drawChart } from "./frame"; // first: it patches requestAnimationFrame

import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

drawChart(async (place, source: { $schema?: unknown }) => {
  const spec = String(source.$schema).includes("/vega/") ? source : compile(source as TopLevelSpec).spec;
  let refused = "";
  const refuse = (uri: string): Promise<never> => Promise.reject(new Error((refused = `it would load ${uri}`)));
  const loader = {
    load: refuse,
    sanitize: (uri: string) => (EMBEDDED_IMAGE.test(uri) ? Promise.resolve({ href: uri }) : Promise.reject(new Error("not loaded"))),
    http: refuse,
    file: refuse,
  };
  const options = { ast: true };
  const view = new View(parse(spec as never, {}, options as never), { expr: expressionInterpreter, loader, renderer: "canvas", container: place, hover: true } as never);
  await view.runAsync();
  if (refused !== "") throw new Error(refused);
  return async (scale) => (await view.toCanvas(scale)).toDataURL("image/png");
});
