// Two builds of the same sources give the same files.
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CheckContext, CheckResult } from "./check.ts";

/** The digest of each file of a folder, by its path. */
export type FolderDigest = ReadonlyMap<string, string>;

/** Reads the digests of all files of a folder. */
export function digestFolder(folder: string): FolderDigest {
  const files = globSync("**/*", { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile());
  return new Map(
    files.toSorted().map((file) => {
      const digest = createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex");
      return [file, digest];
    }),
  );
}

/** How two folders differ: one line for each file. */
export function compareFolders(first: FolderDigest, second: FolderDigest): readonly string[] {
  const files = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  return files.flatMap((file) => {
    const [one, other] = [first.get(file), second.get(file)];
    if (one === other) return [];
    return [
      `${file} ${one === undefined ? "is only in the second build" : other === undefined ? "is only in the first build" : "differs"}`,
    ];
  });
}

/** Builds once more and compares. */
export async function checkSameBytes({ folder, buildAgain }: CheckContext): Promise<CheckResult> {
  const first = digestFolder(folder);
  const problems = compareFolders(first, digestFolder(await buildAgain()));
  const whole = createHash("sha256")
    .update(JSON.stringify([...first]))
    .digest("hex");
  return { figures: `${first.size} files, digest ${whole.slice(0, 16)}`, problems };
}
