import { createReadStream, type Stats } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createGunzip } from "node:zlib";

/** Something to look for incidents in. It can be read several times. */
export interface LogSource {
  /** As it is shown: a path as it was typed, or `standard input`. */
  readonly name: string;
  read(): AsyncIterable<Uint8Array>;
}

/** Why a file of a folder is not read. */
export const UNREAD_REASONS = {
  older: "last written before the incident",
  binary: "not a text",
  unreadable: "may not be read",
  tooMany: "too many files, and these are the oldest",
} as const satisfies Record<string, string>;
/** Why a file of a folder is not read. */
export type UnreadReason = keyof typeof UNREAD_REASONS;

/** The files to read, the newest first. */
export interface LogFiles {
  readonly sources: readonly LogSource[];
  /** How many files of folders are not read, and why. */
  readonly unread: Readonly<Record<UnreadReason, number>>;
}

/** Options of `findLogFiles`. */
export interface LogFilesOptions {
  readonly cwd: string;
  /** Files of a folder that were last written before this time, in ms since 1970, are not read. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
  /** Files of folders that are read. @default 1_000 */
  readonly maxFiles?: number;
}

/** Files of folders that are looked at before the newest are chosen. */
const MAX_LISTED_FILES = 20_000;
const MAX_FOLDER_DEPTH = 5;
/** Folders without logs, and with very many files. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", "proc", "sys"]);
/** Of a compressed file, after it was expanded. */
const MAX_EXPANDED = 4 * 1024 * 1024 * 1024;

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly changedMs: number;
  /** Named by the user, so it is read whatever it is. */
  readonly isNamed: boolean;
}

/** Finds the files behind paths. A path that cannot be read rejects with the error of the system. */
export async function findLogFiles(paths: readonly string[], options: LogFilesOptions): Promise<LogFiles> {
  const { cwd, sinceMs, signal, maxFiles = 1_000 } = options;
  const unread: Record<UnreadReason, number> = { older: 0, binary: 0, unreadable: 0, tooMany: 0 };
  const found: FoundFile[] = [];
  for (const path of paths) {
    const full = resolve(cwd, path);
    const about = await stat(full);
    if (about.isDirectory()) found.push(...(await filesBelow({ name: path, path: full }, { signal, unread })));
    else found.push({ name: path, path: full, changedMs: about.mtimeMs, isNamed: true });
  }
  const recent = found.filter(({ isNamed, changedMs }) => isNamed || changedMs >= sinceMs);
  unread.older += found.length - recent.length;
  const newest = recent.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.changedMs - a.changedMs);
  unread.tooMany += Math.max(0, newest.length - maxFiles);
  const sources: LogSource[] = [];
  for (const file of newest.slice(0, maxFiles)) {
    if (signal.aborted) break;
    const why = file.isNamed ? undefined : await whyUnread(file);
    if (why === undefined) sources.push({ name: file.name, read: () => fileBytes(file.path) });
    else unread[why] += 1;
  }
  return { sources, unread };
}

interface FolderPath {
  readonly name: string;
  readonly path: string;
}

async function filesBelow(
  root: FolderPath,
  { signal, unread }: { readonly signal: AbortSignal; readonly unread: Record<UnreadReason, number> },
): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  const waiting: (FolderPath & { readonly depth: number })[] = [{ ...root, depth: 0 }];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const { depth } = folder;
    for (const entry of await readdir(folder.path, { withFileTypes: true }).catch(() => [])) {
      if (signal.aborted || files.length >= MAX_LISTED_FILES) return files;
      if (entry.name.startsWith(".") || SKIPPED_FOLDERS.has(entry.name)) continue;
      const at = { name: join(folder.name, entry.name), path: join(folder.path, entry.name) };
      if (entry.isDirectory()) {
        if (depth < MAX_FOLDER_DEPTH) waiting.push({ ...at, depth: depth + 1 });
        continue;
      }
      // Containers have links to their logs. Links to folders could lead in circles.
      const about: Stats | undefined = await stat(at.path).catch(() => undefined);
      if (about?.isFile() === true) files.push({ ...at, changedMs: about.mtimeMs, isNamed: false });
      else if (about === undefined) unread.unreadable += 1;
    }
  }
  return files;
}

async function whyUnread({ path, name }: FoundFile): Promise<UnreadReason | undefined> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0);
      return !name.endsWith(".gz") && buffer.subarray(0, bytesRead).includes(0) ? "binary" : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return "unreadable";
  }
}

async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (!path.endsWith(".gz")) {
    yield* stream;
    return;
  }
  const expanded = stream.pipe(createGunzip());
  stream.on("error", (error) => expanded.destroy(error));
  let length = 0;
  try {
    for await (const chunk of expanded) {
      yield chunk as Uint8Array;
      length += (chunk as Uint8Array).length;
      if (length > MAX_EXPANDED) return;
    }
  } finally {
    stream.destroy();
    expanded.destroy();
  }
}
