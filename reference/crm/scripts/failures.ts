// Prints every failure of the document: its cause, and what each client received.
// Needs a PostgreSQL server: TEST_DATABASE_URL, or one on the default port of this machine.
import { provokeAll, provokeMethods, tableOf } from "../test/failures/table.ts";
import { createTestEnvironment } from "../test/support/test-environment.ts";

const environment = await createTestEnvironment();
try {
  const rows = await provokeAll(environment);
  console.log(tableOf(rows, await provokeMethods(environment, rows)));
} finally {
  await environment.close();
}
