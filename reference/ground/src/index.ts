// A database that is there and up to date when a server starts, and that says so when it is away.

export { isDriversOwn } from "./away.ts";
export { createDatabase } from "./create-database.ts";
export { type Database, type DatabaseOptions, openDatabase, type Rows } from "./database.ts";
export { migrate } from "./migrate.ts";
