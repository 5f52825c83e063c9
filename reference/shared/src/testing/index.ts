// A database for each test file, servers that tests may kill, and a proxy that simulates outages.

export { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
export { type FlakyProxy, flakyProxy } from "./flaky-proxy.ts";
export { createRedisServer, type RedisServer, type RedisServerOptions } from "./redis-server.ts";
export { createTestDatabase, TEST_SERVER_URL, type TestDatabase } from "./test-database.ts";
