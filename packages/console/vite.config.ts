import { globSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";

/** What a module imports by itself, not on demand. */
type ImportsOf = (id: string) => { readonly importedIds: readonly string[] } | null;

/** The entry point of a library names all of it; pages use one pattern. */
const LIBRARY = /\/packages\/wire\/src\/index\.ts$/;
const PATTERN = resolve(import.meta.dirname, "../core/src/wire/unseen.ts");

/** The files of the reader of failures, and what is in them. What no first reading needs is apart. */
const READER_FILES: readonly (readonly [file: string, modules: RegExp])[] = [
  [
    "encode-fault",
    /\/playground\/encode-fault\.ts$|\/dialects\/(?:index|(?:closient|erlmcp|http|mcp|onx|platica|qaqnuz)\/(?:encode|dialect))\.ts$/,
  ],
  ["find-failures", /\/playground\/decode-log\.ts$|\/explain\/log\//],
  ["decode-text", /\/playground\/(?:decode-text|format-names|sent-text|reading)\.tsx?$|\/packages\/(?:faults|wire)\//],
];

function importedBy(entries: readonly string[], importsOf: ImportsOf): ReadonlySet<string> {
  const known = new Set(entries);
  for (const id of known) {
    const imported = LIBRARY.test(id) ? [PATTERN] : (importsOf(id)?.importedIds ?? []);
    for (const one of imported) known.add(one);
  }
  return known;
}

/**
 * Which file a module goes to. All that the first script imports is one file, so that the first paint needs one script; what
 * starts after it is one. Each folder of pages is one, and what several of them share is one. Styles stay with what imports them.
 */
function planFiles(importsOf: ImportsOf): (id: string) => string | null {
  const src = `${import.meta.dirname}/src`;
  const first = importedBy([`${src}/main.tsx`], importsOf);
  const later = importedBy([`${src}/later.ts`], importsOf);
  const pages = globSync("pages/*/*-{page,cards}.tsx", { cwd: src }).map((file) => `${src}/${file}`);
  const folders = Map.groupBy(pages, (page) => page.split("/").at(-2) ?? "");
  const byFolder = [...folders].map(([folder, files]) => ({ folder, modules: importedBy(files, importsOf) }));
  return (id) => {
    if (id.endsWith(".css")) return null;
    if (first.has(id)) return "console";
    if (later.has(id)) return "later";
    const [user, other] = byFolder.filter(({ modules }) => modules.has(id));
    if (other !== undefined) return "parts";
    // Named too: the bundler puts its own code, which all files need, into one that has no name.
    return user?.folder ?? READER_FILES.find(([, modules]) => modules.test(id))?.[0] ?? null;
  };
}

let nameFile: ((id: string) => string | null) | undefined;

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the console may be served below a path of its own.
  base: "./",
  resolve: { conditions: ["@recourse/source", "module", "browser"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../gateway/dist/console",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A group takes what its modules import as well: those that others need come first.
          groups: ["console", "later", "parts", undefined].map((group, place) => ({
            debugName: group ?? "a folder of pages",
            priority: 4 - place,
            name: (id, context) => {
              nameFile ??= planFiles((one) => context.getModuleInfo(one));
              const name = nameFile(id);
              return group === undefined || name === group ? name : null;
            },
          })),
        },
      },
    },
  },
});
