import pg from "pg";

/** The SQL state of a connection to a database that does not exist. */
const NO_SUCH_DATABASE = "3D000";
/** The SQL state when another process has just created the database. */
const DATABASE_EXISTS = "42P04";

/** Creates the database of an address if it does not exist yet. Returns whether it was created. */
export async function createDatabase(url: string): Promise<boolean> {
  if (await exists(url)) return false;
  const address = new URL(url);
  const name = decodeURIComponent(address.pathname.slice(1));
  address.pathname = "/postgres";
  await withClient(address.href, async (client) => {
    await client.query(`create database ${pg.escapeIdentifier(name)}`).catch(ignoreState(DATABASE_EXISTS));
  });
  return true;
}

async function exists(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => {});
    return true;
  } catch (thrown) {
    ignoreState(NO_SUCH_DATABASE)(thrown);
    return false;
  }
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** Ignores errors with one SQL state, and throws all others. */
function ignoreState(state: string): (thrown: unknown) => void {
  return (thrown) => {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== state) throw thrown;
  };
}
