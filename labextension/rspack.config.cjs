// Added to the configuration of @jupyter/builder: it bundles src/lab from TypeScript, which has the types checked by `tsc`.
// Imports name their file without an extension, as in all of src/.
module.exports = {
  resolve: { extensions: [".ts", ".js"], fullySpecified: false },
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
