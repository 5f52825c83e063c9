// A database for each test file, and a proxy that simulates outages.

export { type FlakyProxy, flakyProxy } from "./flaky-proxy.ts";
export { createTestDatabase, TEST_SERVER_URL, type TestDatabase } from "./test-database.ts";
