// Which files there are, which have changed, and which of them a part covers.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";

/** All files of the repository that git does not ignore, sorted. */
export function listFiles(): readonly string[] {
  const listed = gitLines("ls-files", "--cached", "--others", "--exclude-standard");
  return listed.filter((file) => existsSync(file)).toSorted();
}

/** The files that differ from a commit, with new ones that are not committed yet. */
export function changedSince(commit: string): readonly string[] {
  const base = gitLines("merge-base", commit, "HEAD")[0] ?? commit;
  const untracked = gitLines("ls-files", "--others", "--exclude-standard");
  return [...new Set([...gitLines("diff", "--name-only", base), ...untracked])].toSorted();
}

/** The files that one of the globs matches. */
export function filesIn(globs: readonly string[], files: readonly string[]): readonly string[] {
  // Matching reads the glob each time, so files elsewhere are left out by its beginning.
  const begun = globs.map((glob) => ({ glob, start: /^[^*?[{]*/.exec(glob)?.[0] ?? "" }));
  return files.filter((file) => begun.some(({ glob, start }) => file.startsWith(start) && matchesGlob(file, glob)));
}

/** One digest of the paths and the content of files. */
export function digestFiles(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
  return hash.digest("hex").slice(0, 32);
}

function gitLines(...args: readonly string[]): readonly string[] {
  const printed = execFileSync("git", ["-c", "core.quotePath=false", ...args], { encoding: "utf8" });
  return printed.split("\n").filter((line) => line !== "");
}
