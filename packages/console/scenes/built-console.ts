// The built console, for gateways that serve it. A gateway reads the files when it starts, so none of them stays on the disk.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildConsole } from "../build.ts";

type Files = ReadonlyMap<string, Buffer>;

/** Building takes a second, so all test files of a process share it. */
let built: Promise<Files> | undefined;

/** Gives a folder with the built console to what starts a gateway. The folder is removed afterwards. */
export async function withBuiltConsole<T>(start: (folder: string) => Promise<T>): Promise<T> {
  built ??= inFolder(build);
  const files = await built;
  return inFolder((folder) => {
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    return start(folder);
  });
}

async function build(folder: string): Promise<Files> {
  await buildConsole(folder);
  const files = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(join(folder, "/").length), readFileSync(file)];
    }),
  );
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-console-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
