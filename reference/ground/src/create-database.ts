import pg from "pg";

/** The state of a connection to a database that does not exist. */
const NO_SUCH_DATABASE = "3D000";
/** Somebody else was faster. */
const EXISTS = "42P04";

/** Creates the database of the address where it does not exist yet; tells whether it did. */
export async function createDatabase(url: string): Promise<boolean> {
  if (await exists(url)) return false;
  const address = new URL(url);
  const name = decodeURIComponent(address.pathname.slice(1));
  address.pathname = "/postgres";
  await connected(address.href, async (client) => {
    await client.query(`create database ${pg.escapeIdentifier(name)}`).catch(unlessState(EXISTS));
  });
  return true;
}

async function exists(url: string): Promise<boolean> {
  try {
    await connected(url, async () => {});
    return true;
  } catch (thrown) {
    unlessState(NO_SUCH_DATABASE)(thrown);
    return false;
  }
}

async function connected(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** Lets one state of the database pass. */
function unlessState(state: string): (thrown: unknown) => void {
  return (thrown) => {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== state) throw thrown;
  };
}
