// What the reference servers share and do not demonstrate: a migrated database, an HTTP server, and a rate limiter.

export { type Database, type DatabaseOptions, isConnectionError, openDatabase, type Rows } from "./database.ts";
export { type Fetch, type ListenAddress, listen, type RunningServer, readHosts, serve } from "./http-server.ts";
export { type Limiter, tokenBuckets } from "./limiter.ts";
export { createDatabase, migrate } from "./migrate.ts";
