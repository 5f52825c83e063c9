// A database for each test file, servers that tests may kill, a proxy that simulates outages, and the probe.

export { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
export { type FlakyProxy, flakyProxy } from "./flaky-proxy.ts";
export { type ProbeOptions, type ProbeReport, probe } from "./probe.ts";
export { createRedisServer, type RedisServer, type RedisServerOptions } from "./redis-server.ts";
export { createTestDatabase, TEST_SERVER_URL, type TestDatabase } from "./test-database.ts";
