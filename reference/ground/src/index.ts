// What the servers share that is not their subject: a database that is there and up to date, a way in, and a limiter.

export { isDriversOwn } from "./away.ts";
export { createDatabase } from "./create-database.ts";
export { type Database, type DatabaseOptions, openDatabase, type Rows } from "./database.ts";
export { type Limiter, tokenBuckets } from "./limiter.ts";
export { type Listening, listen, type Place } from "./listen.ts";
export { migrate } from "./migrate.ts";
export { type Fetch, serve } from "./serve.ts";
