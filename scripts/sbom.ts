// Writes the bill of materials of each published package, from the lock and without a network:
// `npm run sbom -- [--out folder] [--time 2026-11-15T00:00:00Z]`.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import allowed from "./lock/allowed.json" with { type: "json" };
import { readLock } from "./lock/lock.ts";
import { publishedFolders } from "./lock/problems.ts";
import { createSbom } from "./lock/sbom.ts";

const { out, time } = parseArgs({
  options: { out: { type: "string", default: ".cache/sbom" }, time: { type: "string" } },
}).values;
const lock = readLock();
mkdirSync(out, { recursive: true });
for (const [name, folder] of publishedFolders(lock, allowed)) {
  const sbom = createSbom(lock, { folder, timestamp: time });
  const file = join(out, `${basename(folder)}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${name}: ${sbom.components.length} components in ${file}`);
}
