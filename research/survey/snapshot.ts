// What a probe must leave as it was: the files of a server, its database, and the processes of the machine.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The state of everything that a server could change. */
export interface Snapshot {
  /** A hash of each file, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** A hash of each table, by name. */
  readonly tables: ReadonlyMap<string, string>;
}

/** Reads all files below a folder, and all tables of a database. */
export async function takeSnapshot(folder: string, database?: string): Promise<Snapshot> {
  return { files: hashFiles(folder), tables: database === undefined ? new Map() : await hashTables(database) };
}

/** What differs, such as `added home/.cache/x`. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  return [...differences(before.files, after.files), ...differences(before.tables, after.tables)];
}

/** The name in a difference. */
export function pathOf(change: string): string {
  return change.slice(change.indexOf(" ") + 1);
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const added = [...after.keys()].filter((name) => !before.has(name)).map((name) => `added ${name}`);
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `removed ${name}`);
  const other = [...before].filter(([name, hash]) => after.has(name) && after.get(name) !== hash);
  return [...added, ...gone, ...other.map(([name]) => `changed ${name}`)];
}

function hashFiles(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return new Map(
    names.map((name) => {
      const stat = lstatSync(join(folder, name));
      return [name, stat.isFile() ? hashOf(readFileSync(join(folder, name))) : "not a file"];
    }),
  );
}

async function hashTables(url: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const hashes = new Map<string, string>();
    for (const { name } of rows) {
      const { rows: content } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      hashes.set(
        `table ${name}`,
        hashOf(
          content
            .map(({ text }) => text)
            .toSorted()
            .join("\n"),
        ),
      );
    }
    return hashes;
  } finally {
    await client.end();
  }
}

/** The ids of processes whose environment names the folder: what a server has started and left behind. Linux only. */
export function processesOf(folder: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const ids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, "latin1").includes(folder);
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return false;
    }
  });
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
