// Programs that tests start as processes: one file with all sources starts in half the time of the sources.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Inside of the repository, so that the packages of others are found. */
const CACHE = fileURLToPath(new URL("../../../.cache/programs/", import.meta.url));
const OWN = /^(?:\.|@recourse\/)/;
const files = new Map<string, Promise<string>>();

/** Bundles a program once for this process, and returns the path of the bundle. Packages of others stay outside. */
export function bundleProgram(entry: URL): Promise<string> {
  const file = files.get(entry.href) ?? write(fileURLToPath(entry));
  files.set(entry.href, file);
  return file;
}

async function write(input: string): Promise<string> {
  // Many tests import this module and start no program.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input,
    platform: "node",
    external: (id) => !isAbsolute(id) && !OWN.test(id),
    resolve: { conditionNames: ["@recourse/source", "node", "import", "default"] },
    onLog: () => {},
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  const [{ code }] = output;
  const file = join(CACHE, `${createHash("sha256").update(code).digest("hex")}.mjs`);
  if (!existsSync(file)) {
    // Another test may write or start the same program at the moment.
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
  }
  return file;
}
