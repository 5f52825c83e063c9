import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { migrate } from "./migrate.ts";

/** Creates a database with the schema and the seeds in a folder. */
export async function createMigratedDatabase(folder: URL): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await migrate(database.url, { folder });
  return database;
}
