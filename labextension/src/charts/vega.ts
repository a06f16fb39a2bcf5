// Charts of Vega and Vega-Lite. Expressions are interpreted: no code is made from them. Nothing is loaded.

import { run } from "./frame"; // first

import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";

const OWN_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

run(async (place, given: { $schema?: unknown }) => {
  const spec = String(given.$schema).includes("/vega/") ? given : compile(given as TopLevelSpec).spec;
  let refused = "";
  const refuse = (uri: string): Promise<never> => Promise.reject(new Error((refused = `it would load ${uri}`)));
  const loader = {
    load: refuse,
    sanitize: (uri: string) => (OWN_IMAGE.test(uri) ? Promise.resolve({ href: uri }) : Promise.reject(new Error("not loaded"))),
    http: refuse,
    file: refuse,
  };
  const options = { ast: true };
  const view = new View(parse(spec as never, {}, options as never), { expr: expressionInterpreter, loader, renderer: "canvas", container: place, hover: true } as never);
  await view.runAsync();
  if (refused !== "") throw new Error(refused);
  return async (scale) => (await view.toCanvas(scale)).toDataURL("image/png");
});
