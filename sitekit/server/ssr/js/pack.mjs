// Packs render.mjs with the server bundle into one file. rolldown is there already: Vite is made of it.
import { rolldown } from "rolldown";

const bundle = await rolldown({
  input: "render.mjs",
  platform: "node",
  logLevel: "silent",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  resolve: { conditionNames: ["node", "import", "module", "default"] },
});
await bundle.write({ file: process.argv[2], format: "esm", minify: true, codeSplitting: false });
