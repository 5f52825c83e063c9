// What the reference servers share and do not demonstrate: a migrated database, an HTTP server, and a rate limiter.

export { createDatabase } from "./create-database.ts";
export { type Database, type DatabaseOptions, openDatabase, type Rows } from "./database.ts";
export { readHosts } from "./hosts.ts";
export { type Fetch, type ListenAddress, listen, type RunningServer, serve } from "./http-server.ts";
export { type Limiter, tokenBuckets } from "./limiter.ts";
export { migrate } from "./migrate.ts";
export { isConnectionError } from "./outage.ts";
