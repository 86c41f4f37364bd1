// Packs render.mjs with the server bundle into one file, and minifies loader.js, which every public page contains.
// rolldown is there already: Vite is made of it.
import { rolldown } from "rolldown";

const [renderer, loader] = process.argv.slice(2);
const common = { logLevel: "silent" };
const output = { format: "esm", minify: true, codeSplitting: false };

const bundle = await rolldown({
  ...common,
  input: "render.mjs",
  platform: "node",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  resolve: { conditionNames: ["node", "import", "module", "default"] },
});
await bundle.write({ ...output, file: renderer });
const minified = await rolldown({ ...common, input: "loader.js", platform: "browser" });
await minified.write({ ...output, file: loader });
