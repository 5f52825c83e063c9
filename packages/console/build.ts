// Builds the console: the page, its compressed files, and the list of them that the gateway reads.

import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { build } from "vite";

/** A file of the built console, as `files.json` lists it. */
interface ListedFile {
  /** Below the folder; with `.gz` where it is compressed. */
  readonly path: string;
  /** The media type; of a compressed form, that of what is in it. */
  readonly type: string;
  /** SHA-256 in hex. */
  readonly digest: string;
  readonly size: number;
}

/** Smaller files gain nothing by it. */
const COMPRESSED_FROM = 1_024;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Builds the console into a folder, which is emptied first. It rejects if a file is of no known type. */
export async function buildConsole(folder: string): Promise<readonly ListedFile[]> {
  const outDir = resolve(folder);
  await buildForProduction(outDir);
  const files = globSync("**/*", { cwd: outDir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(outDir, "/").length))
    .toSorted()
    .map((path) => writeForm(outDir, path));
  writeFileSync(join(outDir, "files.json"), `${JSON.stringify({ files }, null, 2)}\n`);
  return files;
}

/** Vite takes other forms of packages while `NODE_ENV` says something else, as it does in tests. */
async function buildForProduction(outDir: string): Promise<void> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    await build({
      configFile: join(import.meta.dirname, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir, emptyOutDir: true },
    });
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

/**
 * Compresses a file, and lists it. What is compressed replaces the file: a package with plain, gzip and Brotli forms would be
 * four times as large, and browsers ask for Brotli only beyond plain http.
 */
function writeForm(outDir: string, path: string): ListedFile {
  const type = MEDIA_TYPES[extname(path)];
  if (type === undefined) throw new Error(`The console has a file of an unknown type: ${path}`);
  const bytes = readFileSync(join(outDir, path));
  if (bytes.length < COMPRESSED_FROM || path === "index.html") return listFile(path, type, bytes);
  const compressed = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(join(outDir, `${path}.gz`), compressed);
  rmSync(join(outDir, path));
  return listFile(`${path}.gz`, type, compressed);
}

function listFile(path: string, type: string, bytes: Buffer): ListedFile {
  return { path, type, digest: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

if (import.meta.main) {
  const files = await buildConsole(join(import.meta.dirname, "../gateway/dist/console"));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  console.log(`packages/console: ${files.length} files, ${Math.round(bytes / 1_000)} kB compressed`);
}
