/** Classes of SQLSTATE: the data cannot be read, breaks a rule of the table, or exceeds what PostgreSQL can do. */
const DATA = /^(?:22|23|54)[0-9A-Z]{3}$/;

/**
 * Whether PostgreSQL refused the data of a statement. It refuses them however often they are sent, and serves everybody else:
 * it is not away.
 *
 * @example
 * await pool.query(insert).catch((error) => {
 *   if (!isDataError(error)) throw error;
 * });
 */
export function isDataError(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && DATA.test(code);
}
