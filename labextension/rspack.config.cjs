// Added to the configuration of @jupyter/builder: it bundles src/lab from TypeScript, which has the types checked by `tsc`.
// Imports name their file without an extension, as in all of src/.
const path = require("node:path");

const off = path.join(__dirname, "src/core/markdown-stubs.ts"); // see build.mjs

module.exports = {
  // Else the numbers of modules hang on the folder that this lies in, and CI, which builds it again, gets other files.
  optimization: { moduleIds: "named", chunkIds: "natural" },
  resolve: {
    extensions: [".ts", ".js"],
    fullySpecified: false,
    alias: { "linkify-it": off, entities: off, "punycode.js": off },
  },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: "builtin:swc-loader",
        options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } },
        resolve: { fullySpecified: false },
        type: "javascript/auto",
      },
    ],
  },
};
