import { type MintedKey, mintKey } from "../auth/key-format.ts";
import { hasControl } from "../config/control-characters.ts";
import type { DialectName } from "../config/types.ts";
import type { KeyStore, StoredKey } from "../stores/keys.ts";

/** Where the commands write, and what time it is. */
interface KeysIo {
  /** Receives what the command gives: one line, without its end. */
  print(line: string): void;
  /** Receives remarks for the person at the terminal. */
  note(line: string): void;
  /** Time of day in ms. */
  now(): number;
  /** Makes a key. @default with the randomness of the platform */
  mint?: () => MintedKey;
}

/** Options of `recourse keys add`. */
export interface AddKeyOptions {
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
export interface KeysSetup {
  /** The keys of the database; undefined in memory mode, where keys are lines of the file. */
  readonly keys: KeyStore | undefined;
  /** Within what time a revocation counts everywhere. */
  readonly keyCacheMs: number;
  readonly io: KeysIo;
}

/** How a command ended. */
export type KeysExit = 0 | 1;

const TRIES = 5;

/** Makes a key and prints it, this once. In memory mode it prints the line for the file as well. */
export async function addKey(options: AddKeyOptions, { keys, io }: KeysSetup): Promise<KeysExit> {
  const mint = io.mint ?? mintKey;
  if (hasControl(options.id) || hasControl(options.tenant)) {
    io.note("Names of keys and tenants contain no control characters.");
    return 1;
  }
  if (keys === undefined) {
    if (options.expiresInMs !== undefined) {
      io.note("Keys of the file do not expire. Use a database, or remove the line when the time is over.");
      return 1;
    }
    const minted = mint();
    io.print(minted.key);
    io.note("This is the key. It is shown only now. Add this line to `keys:` of the file:");
    io.print(yamlLine(options, minted.sha256));
    return 0;
  }
  const expires = options.expiresInMs === undefined ? undefined : new Date(io.now() + options.expiresInMs);
  for (let tries = 0; tries < TRIES; tries++) {
    const { key, prefix, sha256 } = mint();
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
  const rows = (await keys.list()).map((key) => rowOf(key, io.now()));
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

function rowOf(key: StoredKey, now: number): readonly string[] {
  return [
    key.prefix,
    key.id,
    key.tenant,
    key.tools.join(","),
    key.scopes.join(",") || "-",
    key.created.toISOString(),
    key.expires?.toISOString() ?? "-",
    stateOf(key, now),
  ];
}

function stateOf({ revoked, expires }: StoredKey, now: number): string {
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
