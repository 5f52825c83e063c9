import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type Problem, problemLine } from "../config/document.ts";
import { type LoadResult, loadConfig, loadPagesAddress } from "../config/load.ts";
import { readSecretFile, type SecretFile, secretFileState } from "../config/secret-files.ts";
import { type CommandFailure, type CommandIo, failed } from "./io.ts";

/** The file that commands read if none is named. */
export const DEFAULT_FILE = "gateway.yaml";

/** A configuration file, as text and by its names. */
export interface ConfigFileText {
  /** The whole path. */
  readonly path: string;
  /** The path as it is shown, from the working directory. */
  readonly name: string;
  readonly text: string;
}

/** Reads a file; if it is missing, a failure says what to do. */
export async function readConfigFile(
  file: string,
  { cwd }: Pick<CommandIo, "cwd">,
): Promise<ConfigFileText | { readonly failure: CommandFailure }> {
  const path = resolve(cwd, file);
  const name = shownPath(path, cwd);
  try {
    return { path, name, text: await readFile(path, "utf8") };
  } catch (cause) {
    const isMissing = (cause as { code?: string }).code === "ENOENT";
    return failed("usage", {
      code: "config",
      message: isMissing ? `There is no file ${name}.` : `The file ${name} cannot be read.`,
      fix: isMissing ? "recourse init" : "Check its permissions.",
      cause,
    });
  }
}

/** Reads what a file says. */
export function load({ text, path }: ConfigFileText, { env }: Pick<CommandIo, "env">): LoadResult {
  return loadConfig(text, { environment: env, file: path });
}

/** The address that a gateway with this file has `/health` and `/ready` at, as a program on the same machine reaches it. */
export async function findPagesUrl(
  file: string,
  io: Pick<CommandIo, "cwd" | "env" | "stderr">,
): Promise<{ readonly url: string } | { readonly failure: CommandFailure }> {
  const read = await readConfigFile(file, io);
  if ("failure" in read) return read;
  const loaded = loadPagesAddress(read.text, { environment: io.env, file: read.path });
  if (!loaded.ok) {
    io.stderr.write(problemLines(read.name, loaded.problems));
    return configFailure(read.name, loaded.problems);
  }
  const { host, port } = loaded.listen;
  if (port === 0)
    return failed("usage", {
      code: "config",
      message: `${read.name} has the port 0, so the address is known only when the gateway runs.`,
      fix: "Give the address: recourse health <url>",
    });
  return { url: `http://${LOOPBACK[host] ?? (host.includes(":") ? `[${host}]` : host)}:${port}` };
}

/** Where a program on the same machine reaches an address that means all of them. */
const LOOPBACK: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

/** A path from the working directory, or the whole path if the file is elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") ? path : short;
}

/** Each problem on a line. */
export function problemLines(name: string, problems: readonly Problem[]): string {
  return problems.map((problem) => `${problemLine(name, problem)}\n`).join("");
}

/** The failure for a file with problems. The problems themselves have been written before. */
export function configFailure(name: string, problems: readonly Problem[]): { readonly failure: CommandFailure } {
  const count = problems.length === 1 ? "one problem" : `${problems.length} problems`;
  return failed("usage", {
    code: "config",
    message: `${name} has ${count}.`,
    fix: `Correct ${problems.length === 1 ? "it" : "them"}, then: recourse serve --check ${name}`,
  });
}

/** Editors write a file in several steps; what happens within this time is one change. */
const SETTLE_MS = 200;

/** What was read last. A change since then counts too. */
interface WatchedFiles {
  readonly text: string;
  readonly secretFiles: readonly SecretFile[];
}

interface FileWatch {
  /** The configuration was read again, and may name other files now. */
  follow(read: WatchedFiles): void;
  stop(): void;
}

/**
 * Calls `onChange` after the text of a configuration file has changed, or what a file holds that it takes a value from. Folders
 * are watched, since editors and Kubernetes replace files instead of writing into them.
 */
export function watchFiles(
  path: string,
  first: WatchedFiles,
  { onChange, settleMs = SETTLE_MS }: { readonly onChange: () => void; readonly settleMs?: number },
): FileWatch {
  const folders = new Map<string, FSWatcher>();
  let secrets: readonly string[] = [];
  let known = "";
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let isStopped = false;
  follow(first);
  return {
    follow,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const watcher of folders.values()) watcher.close();
    },
  };

  function follow({ text, secretFiles }: WatchedFiles): void {
    if (isStopped) return;
    secrets = secretFiles.map((one) => one.path);
    known = watchedState(text, secretFiles);
    const wanted = new Set([path, ...secrets].map((one) => dirname(one)));
    for (const [folder, watcher] of folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      folders.delete(folder);
    }
    for (const folder of wanted) if (!folders.has(folder)) watchFolder(folder);
    lookSoon();
  }

  function watchFolder(folder: string): void {
    try {
      // A folder that goes away leaves the gateway as it is.
      const watcher = watch(folder, lookSoon).on("error", () => {});
      folders.set(folder, watcher);
    } catch {
      // The folder of a secret is missing. The reading has reported that; SIGHUP reads again.
    }
  }

  function lookSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), settleMs);
  }

  async function look(): Promise<void> {
    looks += 1;
    const own = looks;
    const text = await readFile(path, "utf8").catch(() => undefined);
    // On a slow disk a later look may have ended before this one, which then read an older text.
    if (isStopped || text === undefined || own !== looks) return;
    const seen = watchedState(
      text,
      secrets.map((one) => ({ path: one, state: secretFileState(readSecretFile(one)) })),
    );
    if (seen === known) return;
    known = seen;
    onChange();
  }
}

function watchedState(text: string, secretFiles: readonly SecretFile[]): string {
  return JSON.stringify([text, ...secretFiles.map(({ path, state }) => [path, state])]);
}
