import { loadStore } from "../config/load.ts";
import type { DialectName } from "../config/types.ts";
import { durationMs } from "../config/units.ts";
import { postgresKeys } from "../stores/keys.ts";
import { createKeyTable } from "../stores/keys-table.ts";
import { type OpenPostgres, openPostgres } from "../stores/postgres.ts";
import { StoreUnavailableError } from "../stores/store-error.ts";
import { configFailure, DEFAULT_FILE, problemLines, readConfigFile } from "./config-file.ts";
import { type CommandIo, type CommandOutcome, failed } from "./io.ts";
import { addKey, type KeysSetup, listKeys, revokeKey } from "./keys.ts";

/** Options of `recourse keys`. */
export interface KeysOptions {
  /** @default gateway.yaml */
  readonly file?: string | undefined;
  /** What to do. */
  readonly action: "add" | "list" | "revoke";
  /** The id of a key, or its prefix. @default none: needed to add and to revoke */
  readonly id?: string | undefined;
  /** The tenant that the key belongs to. @default "default" */
  readonly tenant?: string | undefined;
  /** Patterns of the tools that the key may see. @default all */
  readonly tools?: readonly string[] | undefined;
  /** Scopes of the caller. @default none */
  readonly scopes?: readonly string[] | undefined;
  /** Entitlements of the caller. @default none */
  readonly entitlements?: readonly string[] | undefined;
  /** The wire that failures are written in for this caller. @default mcp */
  readonly dialect?: DialectName | undefined;
  /** A duration such as `24h`. @default never */
  readonly expires?: string | undefined;
}

const DURATION = /^\d+(?:\.\d+)?(?:ms|s|m|h)$/;

/** Adds, lists or revokes API keys of the store that a configuration file names. */
export async function manageKeys(options: KeysOptions, io: CommandIo): Promise<CommandOutcome> {
  if (options.action !== "list" && options.id === undefined)
    return failed("usage", {
      code: "usage",
      message: options.action === "add" ? "Name the new key." : "Name the key by its id or prefix.",
      fix: `recourse keys ${options.action} <id>`,
    });
  if (options.expires !== undefined && !DURATION.test(options.expires))
    return failed("usage", { code: "usage", message: "--expires is a duration such as 30m or 24h." });
  const file = await readConfigFile(options.file ?? DEFAULT_FILE, io);
  if ("failure" in file) return file;
  const loaded = loadStore(file.text, { environment: io.env, file: file.path });
  if (!loaded.ok) {
    io.stderr.write(problemLines(file.name, loaded.problems));
    return configFailure(file.name, loaded.problems);
  }
  const { store, keyCacheMs } = loaded;
  let postgres: OpenPostgres | undefined;
  try {
    postgres = store.mode === "memory" ? undefined : await openPostgres(store.postgres, () => {});
    if (postgres !== undefined) await createKeyTable(postgres.pool);
    const keys = postgres === undefined ? undefined : postgresKeys(postgres.pool);
    return await run(options, { keys, keyCacheMs, io: keysIo(io) });
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const fix = "Start it, or correct store in the file.";
    return failed("unreachable", { code: "store", message: thrown.message, fix, cause: thrown });
  } finally {
    await postgres?.close();
  }
}

async function run(options: KeysOptions, setup: KeysSetup): Promise<CommandOutcome> {
  const { action, id = "", tenant = "default", tools = ["*"], scopes = [], entitlements = [], dialect } = options;
  const expiresInMs = options.expires === undefined ? undefined : durationMs(options.expires);
  switch (action) {
    case "add":
      return outcomeOf(await addKey({ id, tenant, tools, scopes, entitlements, dialect, expiresInMs }, setup));
    case "list":
      return outcomeOf(await listKeys(setup));
    case "revoke":
      return outcomeOf(await revokeKey(id, setup));
    default:
      return action satisfies never;
  }
}

function keysIo({ stdout, stderr, now }: CommandIo): KeysSetup["io"] {
  return { print: (line) => stdout.write(`${line}\n`), note: (line) => stderr.write(`${line}\n`), now };
}

/** The remark that was written says why. */
function outcomeOf(exit: 0 | 1): CommandOutcome {
  if (exit === 0) return { exit: "ok" };
  return failed("findings", { code: "keys", message: "Nothing was changed." });
}
