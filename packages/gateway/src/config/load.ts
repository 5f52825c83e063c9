import { dirname } from "node:path";
import { registerSecrets } from "@recourse/faults";
import { MIN_SECRET_LENGTH } from "@recourse/faults/internal-do-not-use";
import { buildConfig, storeOf } from "./build.ts";
import { crossCheck } from "./cross-check.ts";
import { parseYaml } from "./document.ts";
import type { Problem } from "./problem.ts";
import type { RawConfig } from "./raw.ts";
import { readDocument } from "./read.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import type { GatewayConfig, StoreConfig } from "./types.ts";
import { durationMs } from "./units.ts";
import type { Environment } from "./variables.ts";

/** How to read a file. */
export interface LoadOptions {
  /** Where variables such as `${TOKEN}` come from. */
  readonly environment: Environment;
  /** The path of the file: other files that it names are relative to its folder. @default "gateway.yaml" */
  readonly file?: string;
}

/** What a file says, or everything that is wrong with it. */
export type LoadResult =
  | { readonly ok: true; readonly config: GatewayConfig; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/**
 * Reads a configuration file. Secrets in it are registered, so that no fault and no log line shows them.
 *
 * @example
 * const loaded = loadConfig(await readFile("gateway.yaml", "utf8"), { environment: process.env, file: "gateway.yaml" });
 * if (!loaded.ok) for (const problem of loaded.problems) console.error(problemLine("gateway.yaml", problem));
 */
export function loadConfig(text: string, { environment, file = "gateway.yaml" }: LoadOptions): LoadResult {
  const document = parseYaml(text);
  if (!("root" in document)) return { ok: false, problems: document, warnings: [] };
  const read = readDocument(document, CONFIG_SCHEMA, environment);
  for (const secret of read.secrets) hideSecret(secret);
  if (typeof read.value !== "object" || read.value === null)
    return { ok: false, problems: read.problems, warnings: [] };
  const raw = read.value as RawConfig;
  const crossed = crossCheck(raw, document);
  const problems = inOrder([...read.problems, ...crossed.problems]);
  const warnings = inOrder(crossed.warnings);
  if (problems.length > 0) return { ok: false, problems, warnings };
  return { ok: true, config: buildConfig(raw, dirname(file)), warnings };
}

/** The part of a file that says where keys are kept. Problems elsewhere in it do not matter. */
export function loadStore(
  text: string,
  { environment }: LoadOptions,
):
  | { readonly ok: true; readonly store: StoreConfig; readonly keyCacheMs: number }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const document = parseYaml(text);
  if (!("root" in document)) return { ok: false, problems: document };
  const read = readDocument(document, CONFIG_SCHEMA, environment);
  for (const secret of read.secrets) hideSecret(secret);
  const raw = (read.value ?? {}) as Partial<RawConfig>;
  const problems = read.problems.filter(({ path }) => /^(?:store|keyCache)\b/.test(path));
  if (problems.length > 0 || raw.keyCache === undefined)
    return { ok: false, problems: inOrder(problems.length > 0 ? problems : read.problems) };
  return { ok: true, store: storeOf(raw.store), keyCacheMs: durationMs(raw.keyCache) };
}

const hidden = new Set<string>();

/** Registers a secret once, however often the file is read. Shorter texts than the filter takes are left out. */
function hideSecret(text: string): void {
  const secret = secretPart(text);
  if (secret.length < MIN_SECRET_LENGTH || hidden.has(secret)) return;
  hidden.add(secret);
  registerSecrets(secret);
}

/** Of an address the password is the secret. */
function secretPart(text: string): string {
  const url = text.includes("://") ? URL.parse(text) : null;
  if (url === null) return text;
  try {
    return decodeURIComponent(url.password);
  } catch {
    return url.password;
  }
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
