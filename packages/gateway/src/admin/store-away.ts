import { errorCode } from "../auth/error-code.ts";

/** A code of PostgreSQL. Codes of Node have five letters at times, and no digit. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Connection, resources, the operator, the system; a standby, and transactions that stood in each other's way. */
const AWAY = /^(?:08|53|57P|58|25006|40001|40P01|55P03)/;
/** What only a bug of our own throws. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Whether an error of a store means that the store is away; else it is a bug. */
export function isStoreAway(error: unknown): boolean {
  if (BUGS.some((bug) => error instanceof bug)) return false;
  const code = errorCode(error);
  return SQLSTATE.test(code) ? AWAY.test(code) : true;
}
