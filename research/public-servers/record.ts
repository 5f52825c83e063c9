// Causes every failure of docs/public-servers.md and stores what a model reads. `npm run generate` makes the page.
import { writeFileSync } from "node:fs";
import { json } from "../../scripts/generate/json.ts";
import { runPublicServers } from "./run.ts";

const started = performance.now();
const readings = await runPublicServers();
writeFileSync(new URL("readings.json", import.meta.url), json(readings));
const count = Object.values(readings).reduce((sum, of) => sum + Object.keys(of).length, 0);
console.log(`${count} failures in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
