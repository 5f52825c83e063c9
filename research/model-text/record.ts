// Causes every failure of docs/what-the-model-reads.md and stores what a model reads. `npm run generate` makes the page.
// Needs a PostgreSQL server, as the tests do: TEST_DATABASE_URL, or one on the default port of this machine.
import { writeFileSync } from "node:fs";
import { runSituations } from "./run.ts";

const started = performance.now();
const texts = await runSituations();
writeFileSync(new URL("now.json", import.meta.url), `${JSON.stringify(texts, null, 2)}\n`);
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
console.log(`${Object.keys(texts).length} situations in ${seconds} s`);
