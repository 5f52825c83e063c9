import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file and folder below a folder: its content, size, mode and times of change. */
export function snapshotOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  return Object.fromEntries(
    paths.sort().map((path) => {
      const { mode, size, mtimeMs, ctimeMs, ino } = statSync(path);
      const hash = statSync(path).isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "folder";
      return [relative(folder, path), [mode, size, mtimeMs, ctimeMs, ino, hash].join(" ")];
    }),
  );
}

/** The processes that have a text in their environment, by number. Empty where the system does not show it. */
export function processesWith(mark: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
      } catch {
        // Ended in the meantime, or of another user.
        return false;
      }
    });
}
