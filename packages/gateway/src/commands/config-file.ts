import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type Problem, problemLine } from "../config/document.ts";
import { type LoadResult, loadConfig } from "../config/load.ts";
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

/** A file to watch. */
interface WatchedFile {
  readonly path: string;
  /** Its text when it was read last. A change since then counts too. */
  readonly text: string;
}

/**
 * Calls `onChange` after the text of a file has changed. The folder is watched, since editors and Kubernetes replace files
 * instead of writing into them. Returns what ends it.
 */
export function watchFile(file: WatchedFile, onChange: () => void, { settleMs = SETTLE_MS } = {}): () => void {
  const { path } = file;
  let known = file.text;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (isStopped || text === undefined || text === known) return;
    known = text;
    onChange();
  }

  function lookSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), settleMs);
  }

  const watcher = watch(dirname(path), lookSoon);
  // A folder that goes away leaves the gateway as it is.
  watcher.on("error", () => {});
  lookSoon();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    watcher.close();
  };
}
