import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PAGES } from "./files.ts";

/** What would have to change on disk. */
export interface Difference {
  readonly stale: readonly string[];
  readonly left: readonly string[];
}

/** Compares the files with those below `root`. */
export function compare(root: string, files: ReadonlyMap<string, string>): Difference {
  const there = list(join(root, PAGES)).map((path) => `${PAGES}/${path}`);
  return {
    stale: [...files].filter(([path, text]) => read(join(root, path)) !== text).map(([path]) => path),
    left: there.filter((path) => !files.has(path)),
  };
}

/** Writes what differs and removes what is left over. */
export function update(root: string, files: ReadonlyMap<string, string>, { stale, left }: Difference): void {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path) ?? "");
  }
  for (const path of left) rmSync(join(root, path));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll("\\", "/"),
      )
      .toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
