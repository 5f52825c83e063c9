import { type ApiKey, createApiKey } from "../auth/api-keys.ts";
import { hasControl } from "../config/control-characters.ts";
import { parseDuration } from "../config/leaves.ts";
import { loadConfig, loadStore } from "../config/load.ts";
import type { AdminConfig, AdminRole, DialectName } from "../config/types.ts";
import { createKeyTable, type KeyStore, postgresKeys, type StoredApiKey } from "../stores/keys.ts";
import { type OpenPostgres, openPostgres } from "../stores/postgres.ts";
import { StoreUnavailableError } from "../stores/store-error.ts";
import { configFailure, DEFAULT_FILE, problemLines, readConfigFile } from "./config-file.ts";
import { type CommandIo, type CommandOutcome, failed } from "./io.ts";

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
  /** Makes a key for the admin API instead, which is a line of the file. @default false */
  readonly operator?: boolean | undefined;
  /** What the operator may do. @default viewer */
  readonly role?: AdminRole | undefined;
  /** Write the key of an operator as JSON. @default false */
  readonly json?: boolean | undefined;
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
  if (options.role !== undefined && options.operator !== true)
    return failed("usage", { code: "usage", message: "--role goes with --operator: callers have no role." });
  if (options.operator === true) return addOperatorKey(options, io);
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
    return await runKeysCommand(options, { keys, keyCacheMs, io: keysIo(io) });
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const fix = "Start it, or correct store in the file.";
    return failed("unreachable", { code: "store", message: thrown.message, fix, cause: thrown });
  } finally {
    await postgres?.close();
  }
}

/** Options that describe callers. Operators have an id and a role. */
const CALLER_OPTIONS = ["tenant", "tools", "scopes", "entitlements", "dialect", "expires"] as const;
/** What `admin.keys` takes as an id. */
const OPERATOR_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes the key of an operator and prints it, this once, with the line for the file. Nothing is written. */
async function addOperatorKey(options: KeysOptions, io: CommandIo): Promise<CommandOutcome> {
  const { action, id = "", role = "viewer", file: name = DEFAULT_FILE } = options;
  const usage = (message: string) =>
    failed("usage", { code: "usage", message, fix: "recourse keys add <id> --operator --role viewer" });
  if (action !== "add")
    return usage("Keys of operators are the lines of admin.keys in the file: remove one to end it.");
  const stray = CALLER_OPTIONS.find((option) => options[option] !== undefined);
  if (stray !== undefined) return usage(`--${stray} is for callers. Operators have an id and a role.`);
  if (!OPERATOR_ID.test(id)) return usage("The id of a key has letters, digits, dots, dashes and underscores.");
  const { key, sha256 } = createApiKey();
  const line = operatorKeyLine({ id, role, sha256 });
  const known = await findOperatorIds(name, io);
  if (known?.includes(id)) return usage(`There is a key ${id} under admin.keys already. Take another id.`);
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify({ key, id, role, sha256, line }, null, 2)}\n`);
    return { exit: "ok" };
  }
  const keys = keysIo(io);
  keys.print(key);
  keys.note("This is the key of the operator. It is shown only now: export GATEWAY_ADMIN_KEY=<the key>");
  keys.note(
    known === undefined || known.length > 0
      ? `Add this line to \`admin.keys\` of ${name}:`
      : `Add this to ${name}. It turns the admin API on, after a restart:`,
  );
  keys.print(known?.length === 0 ? `admin:\n  keys:\n    - ${line}` : `    - ${line}`);
  return { exit: "ok" };
}

/** The ids under `admin.keys` of a file. Undefined if the file cannot be read: the key is made all the same. */
async function findOperatorIds(name: string, io: CommandIo): Promise<readonly string[] | undefined> {
  const file = await readConfigFile(name, io);
  if ("failure" in file) return undefined;
  const loaded = loadConfig(file.text, { environment: io.env, file: file.path });
  return loaded.ok ? (loaded.config.admin?.keys ?? []).map((one) => one.id) : undefined;
}

/** The key of an operator as an item of `admin.keys`. */
export function operatorKeyLine({ id, role, sha256 }: AdminConfig["keys"][number]): string {
  return `{ id: ${JSON.stringify(id)}, role: ${role}, sha256: "${sha256}" }`;
}

async function runKeysCommand(options: KeysOptions, setup: KeysSetup): Promise<CommandOutcome> {
  const { action, id = "", tenant = "default", tools = ["*"], scopes = [], entitlements = [], dialect } = options;
  const expiresInMs = options.expires === undefined ? undefined : parseDuration(options.expires);
  switch (action) {
    case "add":
      return exitOutcome(await addKey({ id, tenant, tools, scopes, entitlements, dialect, expiresInMs }, setup));
    case "list":
      return exitOutcome(await listKeys(setup));
    case "revoke":
      return exitOutcome(await revokeKey(id, setup));
    default:
      return action satisfies never;
  }
}

function keysIo({ stdout, stderr, now }: CommandIo): KeysSetup["io"] {
  return { print: (line) => stdout.write(`${line}\n`), note: (line) => stderr.write(`${line}\n`), now };
}

/** The remark that was written says why. */
function exitOutcome(exit: 0 | 1): CommandOutcome {
  if (exit === 0) return { exit: "ok" };
  return failed("findings", { code: "keys", message: "Nothing was changed." });
}

/** Where the commands write, and what time it is. */
interface KeysIo {
  /** Receives what the command gives: one line, without its end. */
  print(line: string): void;
  /** Receives remarks for the person at the terminal. */
  note(line: string): void;
  /** Time of day in ms. */
  now(): number;
  /** Makes a key. @default with the randomness of the platform */
  createKey?: () => ApiKey;
}

/** Options of `recourse keys add`. */
interface AddKeyOptions {
  readonly id: string;
  readonly tenant: string;
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly dialect: DialectName | undefined;
  /** How long the key is good, in ms. @default without end */
  readonly expiresInMs?: number | undefined;
}

/** What a command works on. */
interface KeysSetup {
  /** The keys of the database; undefined in memory mode, where keys are lines of the file. */
  readonly keys: KeyStore | undefined;
  /** Within what time a revocation counts everywhere. */
  readonly keyCacheMs: number;
  readonly io: KeysIo;
}

/** How a command ended. */
type KeysExit = 0 | 1;

const KEY_TRIES = 5;

/** Makes a key and prints it, this once. In memory mode it prints the line for the file as well. */
export async function addKey(options: AddKeyOptions, { keys, io }: KeysSetup): Promise<KeysExit> {
  const createKey = io.createKey ?? createApiKey;
  if (hasControl(options.id) || hasControl(options.tenant)) {
    io.note("Names of keys and tenants contain no control characters.");
    return 1;
  }
  if (keys === undefined) {
    if (options.expiresInMs !== undefined) {
      io.note("Keys of the file do not expire. Use a database, or remove the line when the time is over.");
      return 1;
    }
    const minted = createKey();
    io.print(minted.key);
    io.note("This is the key. It is shown only now. Add this line to `keys:` of the file:");
    io.print(yamlLine(options, minted.sha256));
    return 0;
  }
  const expires = options.expiresInMs === undefined ? undefined : new Date(io.now() + options.expiresInMs);
  for (let tries = 0; tries < KEY_TRIES; tries++) {
    const { key, prefix, sha256 } = createKey();
    // Prefixes are short, and two keys can draw the same one.
    if (!(await keys.add({ ...options, prefix, sha256: Buffer.from(sha256, "hex"), expires }))) continue;
    io.print(key);
    io.note(`This is the key. It is shown only now. To revoke it: recourse keys revoke ${prefix}`);
    return 0;
  }
  io.note("No free prefix was found. Try again.");
  return 1;
}

/** Lists the keys of the database. No digest is shown. */
export async function listKeys({ keys, io }: KeysSetup): Promise<KeysExit> {
  if (keys === undefined) return withoutDatabase(io);
  const rows = (await keys.list()).map((key) => keyLine(key, io.now()));
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all)
    io.print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  return 0;
}

/** Revokes the keys with a prefix or an id. */
export async function revokeKey(prefixOrId: string, { keys, keyCacheMs, io }: KeysSetup): Promise<KeysExit> {
  if (keys === undefined) return withoutDatabase(io);
  // People paste the beginning of a key as they see it.
  const wanted = /^rk_([0-9a-f]{8})/.exec(prefixOrId)?.[1] ?? prefixOrId;
  const revoked = await keys.revoke(wanted);
  if (revoked.length === 0) {
    io.note("No key with this prefix or id, or it was revoked before.");
    return 1;
  }
  for (const prefix of revoked) io.print(prefix);
  io.note(`Revoked. Every replica refuses it within ${keyCacheMs / 1_000} s.`);
  return 0;
}

function withoutDatabase(io: KeysIo): KeysExit {
  io.note("The store is `memory`: keys are the lines of `keys:` in the file. Remove a line to revoke its key.");
  return 1;
}

const HEADINGS = ["PREFIX", "ID", "TENANT", "TOOLS", "SCOPES", "CREATED", "EXPIRES", "STATE"] as const;

function keyLine(key: StoredApiKey, now: number): readonly string[] {
  return [
    key.prefix,
    key.id,
    key.tenant,
    key.tools.join(","),
    key.scopes.join(",") || "-",
    key.created.toISOString(),
    key.expires?.toISOString() ?? "-",
    keyState(key, now),
  ];
}

function keyState({ revoked, expires }: StoredApiKey, now: number): string {
  if (revoked !== undefined) return "revoked";
  return expires !== undefined && expires.getTime() <= now ? "expired" : "good";
}

/** JSON is YAML, so names with any characters stay what they are. */
function yamlLine({ id, tenant, tools, scopes, entitlements, dialect }: AddKeyOptions, sha256: string): string {
  const members = {
    id,
    tenant,
    sha256,
    tools,
    ...(scopes.length > 0 && { scopes }),
    ...(entitlements.length > 0 && { entitlements }),
    ...(dialect !== undefined && { dialect }),
  };
  const text = Object.entries(members).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `  - { ${text.join(", ")} }`;
}
