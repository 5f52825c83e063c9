// Bundles: code of a user as a bundler for browsers does, and programs.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const ENTRY = join(here, "user-code.ts");

interface Bundle {
  readonly code: string;
  /** Modules that are not part of the bundle. */
  readonly imports: readonly string[];
  /** Compressed size in bytes. */
  readonly gzip: number;
}

interface BundleOptions {
  /** @default false */
  readonly minify?: boolean;
  /** Whether to bundle the sources or the built package. @default "source" */
  readonly from?: "source" | "dist";
  /** Whether parts that load later are in the same file. @default false */
  readonly isOneFile?: boolean;
}

/** Bundles the text of a module for a platform without Node. */
export async function bundle(code: string, options: BundleOptions = {}): Promise<Bundle> {
  const { rolldown } = await loadBundler();
  const build = await rolldown({
    input: ENTRY,
    platform: "browser",
    resolve: { conditionNames: [...(options.from === "dist" ? [] : ["@recourse/source"]), "import", "default"] },
    plugins: [
      {
        name: "user-code",
        load: (id) => (id === ENTRY ? { code, moduleType: "ts" } : null),
        resolveId: (id) => (id === ENTRY ? id : null),
      },
    ],
    onLog: () => {},
  });
  const { minify = false, isOneFile = false } = options;
  const { output } = await build.generate({ format: "esm", minify, comments: false, codeSplitting: !isOneFile });
  await build.close();
  const [chunk] = output;
  const chunks = new Map(output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])));
  // What loads with the entry counts, what loads later does not.
  const loaded = new Set([chunk.fileName]);
  for (const name of loaded) for (const imported of chunks.get(name)?.imports ?? []) loaded.add(imported);
  const codes = [...loaded].map((name) => chunks.get(name)?.code ?? "");
  const gzip = codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
  return { code: chunk.code, imports: chunk.imports, gzip };
}

/** Inside of the repository, so that the packages of others are found. */
const CACHE = fileURLToPath(new URL("../../../.cache/programs/", import.meta.url));
const OWN_MODULE = /^(?:\.|@recourse\/)/;
const files = new Map<string, Promise<string>>();

/**
 * Bundles a program that tests start as a process: one file with all sources starts in half the time of the sources. It is
 * bundled once for this process. Returns the path of the bundle. Packages of others stay outside.
 */
export function bundleProgram(entry: URL): Promise<string> {
  const file = files.get(entry.href) ?? writeProgram(fileURLToPath(entry));
  files.set(entry.href, file);
  return file;
}

async function writeProgram(input: string): Promise<string> {
  const { rolldown } = await loadBundler();
  const build = await rolldown({
    input,
    platform: "node",
    external: (id) => !isAbsolute(id) && !OWN_MODULE.test(id),
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

/** A program in a folder of its own, whose entry is `entry.js`, and the files of its sources that load later. */
interface ProgramInParts {
  readonly folder: string;
  readonly later: readonly string[];
}

/** Bundles a program in parts: what it loads later is in files of its own. */
export async function bundleInParts(entry: URL): Promise<ProgramInParts> {
  const { rolldown } = await loadBundler();
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "parts-"));
  const build = await rolldown({
    input: { entry: fileURLToPath(entry) },
    platform: "node",
    external: (id) => !isAbsolute(id) && !OWN_MODULE.test(id),
    resolve: { conditionNames: ["@recourse/source", "node", "import", "default"] },
    onLog: () => {},
  });
  const { output } = await build.write({ dir: folder, format: "esm" });
  await build.close();
  const later = output.flatMap((one) => (one.type === "chunk" && one.isDynamicEntry ? [one.fileName] : []));
  return { folder, later };
}

/** Many tests import this module and bundle nothing. */
function loadBundler() {
  return import("rolldown");
}
