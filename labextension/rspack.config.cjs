// Added to the configuration of @jupyter/builder: it bundles src/lab from TypeScript, which has the types checked by `tsc`.
// Imports name their file without an extension, as in all of src/.
const path = require("node:path");

const off = path.join(__dirname, "src/unused.ts"); // see build.mjs

module.exports = {
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
