// Builds the page's code into the Python package. What it writes is committed, so that installing needs no Node;
// CI builds again and compares. esbuild is pinned to one version, because another may print other text.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "ascii",
  legalComments: "none",
  logLevel: "info",
  target: ["es2022"],
};

await build({ ...common, entryPoints: ["src/widget.ts"], format: "esm", outfile: "../smolcell/views/static/widget.js" });
await build({ ...common, entryPoints: ["src/style.css"], outfile: "../smolcell/views/static/widget.css" });
