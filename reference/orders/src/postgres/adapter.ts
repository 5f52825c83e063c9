import { defineOrders } from "../adapter/define-orders.ts";
import { type DatabaseOptions, openDatabase } from "../database/database.ts";
import { postgresBackend } from "./backend.ts";

/** The tools on a database of our own. */
export const postgresOrders = defineOrders(async (options: DatabaseOptions, signal) => {
  const backend = postgresBackend(openDatabase(options));
  try {
    await backend.ping(signal);
    return backend;
  } catch (thrown) {
    await backend.close();
    throw thrown;
  }
});
