import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

/** Options of `migrate`. */
interface MigrateOptions {
  /** The folder that holds `migrations` and `seeds`. */
  readonly folder: URL;
  /**
   * Whether the seeds are applied too.
   *
   * @default true
   */
  readonly seeds?: boolean;
}

/** The advisory lock that makes servers which start together migrate one after the other. */
const MIGRATION_LOCK = 9_520_000;

/** Applies every new SQL file in a transaction of its own. Returns the names of the applied files. */
export async function migrate(url: string, { folder, seeds }: MigrateOptions): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(
      "create table if not exists schema_file (name text primary key, applied_at timestamptz not null default now())",
    );
    const applied: string[] = [];
    for (const file of await filesOf(folder, seeds === false ? ["migrations"] : ["migrations", "seeds"])) {
      if (await apply(client, file)) applied.push(file.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

interface SqlFile {
  readonly name: string;
  readonly url: URL;
}

async function filesOf(folder: URL, names: readonly string[]): Promise<readonly SqlFile[]> {
  const lists = names.map(async (name) => {
    const directory = new URL(`${name}/`, folder);
    const files = (await readdir(directory)).filter((file) => file.endsWith(".sql")).toSorted();
    return files.map((file) => ({ name: `${name}/${file}`, url: new URL(file, directory) }));
  });
  return (await Promise.all(lists)).flat();
}

async function apply(client: pg.Client, { name, url }: SqlFile): Promise<boolean> {
  const { rowCount } = await client.query("select from schema_file where name = $1", [name]);
  if (rowCount !== 0) return false;
  await client.query("begin");
  try {
    await client.query(await readFile(url, "utf8"));
    await client.query("insert into schema_file (name) values ($1)", [name]);
    await client.query("commit");
    return true;
  } catch (thrown) {
    await client.query("rollback");
    throw thrown;
  }
}

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
