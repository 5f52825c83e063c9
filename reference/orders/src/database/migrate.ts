import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const FOLDERS = {
  migrations: new URL("../../migrations/", import.meta.url),
  seeds: new URL("../../seeds/", import.meta.url),
};

/** One at a time, however many servers start together. */
const LOCK = 8_960_000;

/** Brings the schema up to date, each file once and whole or not at all; gives the names of those that were new. */
export async function migrate(url: string, options: { readonly seeds?: boolean } = {}): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists schema_file (name text primary key, applied_at timestamptz not null default now())",
    );
    const applied: string[] = [];
    for (const file of await filesOf(options.seeds === false ? ["migrations"] : ["migrations", "seeds"])) {
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

async function filesOf(folders: readonly (keyof typeof FOLDERS)[]): Promise<readonly SqlFile[]> {
  const lists = folders.map(async (folder) => {
    const names = (await readdir(FOLDERS[folder])).filter((name) => name.endsWith(".sql")).toSorted();
    return names.map((name) => ({ name: `${folder}/${name}`, url: new URL(name, FOLDERS[folder]) }));
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
