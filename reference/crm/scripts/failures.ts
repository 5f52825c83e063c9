// Prints every failure of the system's document: the cause that produced it, and what each client saw.
// Needs a PostgreSQL server: TEST_DATABASE_URL, or one on the usual port of this machine.
import { provokeAll, provokeMethods, tableOf } from "../test/failures/table.ts";
import { createWorld } from "../test/support/world.ts";

const world = await createWorld();
try {
  const rows = await provokeAll(world);
  console.log(tableOf(rows, await provokeMethods(world, rows)));
} finally {
  await world.close();
}
