import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Editors write a file in several steps; what happens within this time is one change. */
const SETTLE_MS = 200;

/** A file to watch. */
export interface WatchedFile {
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
