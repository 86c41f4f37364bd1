// Packs render.mjs with the server bundle into one file, and makes loader.js small, which is in every public page.
// rolldown is there already: Vite is made of it.
import { rolldown } from "rolldown";

const [renderer, loader] = process.argv.slice(2);
const common = { logLevel: "silent" };
const written = { format: "esm", minify: true, codeSplitting: false };

const bundle = await rolldown({
  ...common,
  input: "render.mjs",
  platform: "node",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  resolve: { conditionNames: ["node", "import", "module", "default"] },
});
await bundle.write({ ...written, file: renderer });
const small = await rolldown({ ...common, input: "loader.js", platform: "browser" });
await small.write({ ...written, file: loader });
