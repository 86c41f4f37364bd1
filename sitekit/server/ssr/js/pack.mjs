// Packs render.mjs with the server bundle into one file, and minifies loader.js, which every public page contains, and the
// stylesheets that have addresses of their own, each with its parts in one file. Vite brings rolldown and lightningcss.
import { writeFileSync } from "node:fs";
import { bundle } from "lightningcss";
import { rolldown } from "rolldown";

const [renderer, loader, ...sheets] = process.argv.slice(2);
// The browsers for which Vite builds, in the form of lightningcss.
const safari = (16 << 16) | (4 << 8);
const targets = { chrome: 111 << 16, edge: 111 << 16, firefox: 114 << 16, ios_saf: safari, safari };
const common = { logLevel: "silent" };
const output = { format: "esm", minify: true, codeSplitting: false };

const script = await rolldown({
  ...common,
  input: "render.mjs",
  platform: "node",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  resolve: { conditionNames: ["node", "import", "module", "default"] },
});
await script.write({ ...output, file: renderer });
const minified = await rolldown({ ...common, input: "loader.js", platform: "browser" });
await minified.write({ ...output, file: loader });

for (const sheet of sheets) {
  writeFileSync(sheet, bundle({ filename: sheet, minify: true, targets }).code);
}
