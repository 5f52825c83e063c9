import { openPool } from "@recourse/test-kit/postgres";
import { pass } from "./held-time.ts";

/** Lets time pass, for the idempotency keys in a database as well. */
export async function passForKeys(database: string, ms: number): Promise<void> {
  const pool = openPool(database);
  const older = "deadline = deadline - $1 * interval '1 ms', expires = expires - $1 * interval '1 ms'";
  await pool.query(`update gateway_idempotency set ${older}`, [ms]);
  await pool.end();
  await pass(ms);
}
