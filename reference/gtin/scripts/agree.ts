// Compares code, database and an independent encoder on random numbers and links: node scripts/agree.ts [count].
// Needs a PostgreSQL server: TEST_DATABASE_URL, or one on the default port of this machine.
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import fc from "fast-check";
import { differencesInDatabase, differencesInEncoder, differencesInLinks } from "../test/support/agreement.ts";
import { almostGtin } from "../test/support/arbitraries.ts";
import { link } from "../test/support/links.ts";

const numRuns = Number(process.argv[2] ?? 100_000);
/** The encoder draws every link, which takes a hundred times longer than a number. */
const LINKS_PER_NUMBER = 1 / 100;
const values = fc.sample(almostGtin, numRuns);
const uris = fc.sample(link, Math.ceil(numRuns * LINKS_PER_NUMBER));
const database = await createMigratedDatabase(new URL("../", import.meta.url));
try {
  const found = {
    database: await differencesInDatabase(values, database),
    encoder: differencesInEncoder(values),
    links: differencesInLinks(uris),
  };
  for (const [where, differences] of Object.entries(found)) {
    console.log(`${where}: ${differences.length} differences in ${where === "links" ? uris.length : values.length}`);
    for (const one of differences.slice(0, 10)) console.log(`  ${JSON.stringify(one)}`);
  }
  process.exitCode = Object.values(found).some((differences) => differences.length > 0) ? 1 : 0;
} finally {
  await database.drop();
}
