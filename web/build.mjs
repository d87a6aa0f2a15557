// Bundles the page: script and style go beside the Rust code that embeds them, with the hash of the
// script for the content security policy and the hash of the sources for the test that tells when
// script and sources differ (tests/python/test_page_sources.py computes the same).
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../crates/linkwork/src/view");

/** Names and texts of everything that the script depends on, in the order of names. */
function sourcesHash() {
  const sources = readdirSync(join(here, "src")).sort().map((name) => `src/${name}`);
  const hash = createHash("sha256");
  for (const name of [...sources, "build.mjs", "package-lock.json", "package.json", "tsconfig.json"]) {
    hash.update(`${name}\n`);
    hash.update(readFileSync(join(here, name)));
  }
  return hash.digest("hex");
}

const options = { bundle: true, minify: true, write: false, charset: "ascii", target: "es2022", legalComments: "none" };
const script = await build({ ...options, entryPoints: [join(here, "src/main.ts")], format: "iife" });
const style = await build({ ...options, entryPoints: [join(here, "src/page.css")] });
// no text of the script may end its element or begin a comment
const text = `/* sources ${sourcesHash()} */\n${script.outputFiles[0].text}`
  .replaceAll("</script", "<\\/script")
  .replaceAll("<!--", "<\\!--");
writeFileSync(join(out, "page.js"), text);
writeFileSync(join(out, "page.css"), style.outputFiles[0].text);
writeFileSync(join(out, "page.js.sha256"), `${createHash("sha256").update(text).digest("base64")}\n`);
console.log(`page.js ${text.length} bytes, page.css ${style.outputFiles[0].text.length} bytes`);
