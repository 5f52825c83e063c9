// Builds what is published: declarations by the compiler, and one JavaScript file for each entry point with shared chunks,
// so that importing an entry point loads a few files instead of a hundred.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ChunkingContext, type CodeSplittingGroup, rolldown } from "rolldown";
import { collectVectors, VECTORS_FILE } from "../packages/cli/src/conformance/vectors.ts";
import { buildConsole } from "../packages/console/build.ts";
import { COMPOSE_DIST, COMPOSE_TEMPLATES } from "../packages/gateway/src/commands/compose-folder.ts";

const PACKAGES = [
  "packages/core",
  "packages/faults",
  "packages/dialects",
  "packages/explain",
  "packages/testing",
  "packages/bridge",
  "packages/stores",
  "packages/gateway",
  "packages/cli",
] as const;
/** Programs that are started by path, so they need a file of their own. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "packages/testing": { "peer/stdio": "src/peer/stdio.ts" },
  "packages/cli": { main: "src/main.ts" },
};
/** Packages whose dependencies, other than ours, are built in: a program that people start with npx should install fast. */
const BUILT_IN: readonly string[] = ["packages/cli"];

/**
 * Few files load faster than many, and text that an entry point does not need costs time too. So a file holds what the same
 * of these load: the entry points of `@recourse/faults`, and what `/server` and `/client` load at the first failure. What none
 * of them loads is grouped by all entry points.
 */
const LOADED_BY = {
  index: "src/index.ts",
  server: "src/server/index.ts",
  client: "src/client/index.ts",
  reasons: "src/reasons/index.ts",
  failures: "src/server/failures.ts",
  reply: "src/client/read-reply.ts",
} as const;
const LOADERS = Object.entries(LOADED_BY).map(([name, file]) => [name, resolve("packages/core", file)] as const);

/**
 * A bundler drops files that are not used, but keeps parts of a file whose effects it cannot rule out, and takes a whole file
 * to the part of a bundle that loads first. So these are files of their own.
 */
const APART =
  /\/core\/src\/(?:dialects\/(?<dialect>closient|onx|erlmcp|qaqnuz|platica|fastmcp|text|detect)|(?:reasons\/|client\/)?(?<part>render|thrown|read-reply))\b/;

const CHUNKS: readonly CodeSplittingGroup[] = [
  {
    debugName: "what the same entry points load",
    name: (id, context) => {
      const { dialect, part } = APART.exec(id)?.groups ?? {};
      if (dialect !== undefined) return dialect;
      const above = importersOf(id, context);
      const loaders = LOADERS.flatMap(([name, file]) => (above.has(file) ? [name] : []));
      return loaders.length === 0 ? null : [...(part === undefined ? [] : [part, "of"]), ...loaders].join("-");
    },
  },
  { name: "shared", test: /./, entriesAware: true },
];

/** The file and all that import it, directly or not, without what loads it later. */
function importersOf(id: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set([id]);
  for (const file of found) for (const importer of context.getModuleInfo(file)?.importers ?? []) found.add(importer);
  return found;
}

interface Built {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Manifest {
  readonly exports: Readonly<
    Record<string, string | { readonly "@recourse/source": string; readonly default: string }>
  >;
}

for (const folder of PACKAGES) rmSync(join(folder, "dist"), { recursive: true, force: true });
const compiled = spawnSync("tsc", ["-b"], { stdio: "inherit" });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

for (const folder of PACKAGES) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const doors = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [] : [target]));
  const input = Object.fromEntries(
    doors.map((target) => [nameOf(target.default), join(folder, target["@recourse/source"])]),
  );
  for (const [name, file] of Object.entries(PROGRAMS[folder] ?? {})) input[name] = join(folder, file);
  const build = await rolldown({
    input,
    ...(BUILT_IN.includes(folder) ? { platform: "node" as const } : {}),
    // Other packages stay imports; files of this one are bundled.
    external: BUILT_IN.includes(folder) ? /^node:|^@recourse\// : (id) => !id.startsWith(".") && !id.startsWith("/"),
    preserveEntrySignatures: "allow-extension",
    onLog: (level, log) => console.log(`${level}: ${log.message}`),
  });
  const { output } = await build.write({
    dir: join(folder, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    // A name made of all the entry points would be long.
    chunkFileNames: ({ name }) => (name.startsWith("shared~") ? "chunks/shared-[hash].js" : "chunks/[name].js"),
    // The declarations have the documentation; a comment here is read at each start.
    comments: { annotation: true, jsdoc: false, legal: true },
    ...(BUILT_IN.includes(folder)
      ? {}
      : { codeSplitting: { groups: [...CHUNKS], includeDependenciesRecursively: false } }),
  });
  await build.close();
  const chunks = output.filter((one) => one.type === "chunk");
  if (BUILT_IN.includes(folder)) writeLicences(folder, new Set(chunks.flatMap((one) => one.moduleIds)));
  const bytes = chunks.reduce((sum, one) => sum + one.code.length, 0);
  console.log(`${folder}: ${doors.length} entry points, ${chunks.length} files, ${Math.round(bytes / 1024)} kB`);
}

const vectors = collectVectors("conformance");
writeFileSync(join("packages/cli/dist", VECTORS_FILE), JSON.stringify(vectors));
console.log(`packages/cli: ${vectors.length} vectors`);

const page = await buildConsole("packages/gateway/dist/console");
const pageBytes = page.reduce((sum, { size }) => sum + size, 0);
console.log(`packages/console: ${page.length} files, ${Math.round(pageBytes / 1_000)} kB compressed`);

// What `recourse init --compose` writes.
for (const [path, source] of Object.entries(COMPOSE_TEMPLATES)) {
  const target = join("packages/gateway", COMPOSE_DIST, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join("deploy", source), target);
}

/** Writes the licences of the packages that were built in. */
function writeLicences(folder: string, modules: ReadonlySet<string>): void {
  const folders = [...modules].flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const parts = [...new Set(folders)].toSorted().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Built;
    const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? "" : `\n\n${readFileSync(join(path, file), "utf8").trim()}`;
    return `## ${name} ${version} (${license})${text}\n`;
  });
  const title = "# Licences of the packages that are built in\n\n";
  writeFileSync(join(folder, "dist/THIRD-PARTY-LICENSES.md"), `${title}${parts.join("\n")}`);
}

/** `./dist/client/index.js` is `client/index`. */
function nameOf(path: string): string {
  return path.replace(/^\.\/dist\//, "").replace(/\.js$/, "");
}
