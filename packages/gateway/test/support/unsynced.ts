/**
 * The address of a database whose commits do not wait for the disk. Statements see and lock the same; only a server that
 * dies may lose the last of them, so tests that kill theirs do without.
 */
export function unsynced(database: string): string {
  const url = new URL(database);
  url.searchParams.set("options", "-c synchronous_commit=off");
  return url.href;
}
