// A database for a file of tests, and a cable to it that can be pulled out.

export { type Cable, layCable } from "./cable.ts";
export { createTestDatabase, SERVER, type TestDatabase } from "./test-database.ts";
