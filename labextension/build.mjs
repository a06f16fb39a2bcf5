// Builds the page's code: the card's module into the Python package, the JupyterLab extension into share/, which has the
// same layout as in an installed environment. The output is committed, so that installing needs no Node; CI builds again and
// compares. The bundlers are pinned to exact versions, because others may produce other output.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "ascii",
  legalComments: "none",
  logLevel: "info",
  target: ["es2022"],
};

// Libraries of markdown-it for disabled rules: links in plain text, character entities, Punycode. They are replaced by stubs.
const off = fileURLToPath(new URL("src/core/markdown-stubs.ts", import.meta.url));
const alias = { "linkify-it": off, entities: off, "punycode.js": off };

await build({ ...common, alias, minify: true, lineLimit: 160, entryPoints: ["src/hosts/widget.ts"], format: "esm", outfile: "../smolcell/views/static/widget.js" });
await build({ ...common, entryPoints: ["src/core/style.css"], outfile: "../smolcell/views/static/widget.css" });

// Libraries that the page loads when they are first needed: for charts, each in a frame of its own, and the editor. With licenses.
const later = [
  ["plotly", "charts/plotly", "iife", ["plotly.js-strict-dist-min"]],
  ["vega", "charts/vega", "iife", ["vega", "vega-lite", "vega-interpreter"]],
  ["editor", "editor/codemirror", "esm", ["@codemirror/view", "@lezer/common"]],
];
for (const [name, from, format, made] of later) {
  const banner = { js: made.map((each) => `/*! ${each}\n${readFileSync(`${here}node_modules/${each}/LICENSE`, "utf-8").replaceAll("*/", "* /")}*/`).join("\n") };
  await build({ ...common, banner, minify: true, lineLimit: 160, entryPoints: [`src/${from}.ts`], format, outfile: `../smolcell/views/static/${name}.js` });
}

// JupyterLab's own packages are shared at run time instead of bundled; core-meta lists them.
const { resolve } = createRequire(import.meta.url);
const builder = resolve("@jupyter/builder/lib/build-labextension.js");
const core = resolve("@jupyterlab/core-meta/core.package.json");
const built = spawnSync(process.execPath, [builder, "--core-package-file", core, here], { stdio: "inherit" });
if (built.status !== 0) process.exit(built.status ?? 1);
copyFileSync(`${here}install.json`, `${here}../share/jupyter/labextensions/@smolcell/labextension/install.json`);
