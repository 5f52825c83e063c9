// The entry points of the core, for scripts that look behind the packages which pass on its names.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "packages/core";
const { exports } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly "@recourse/source"?: string; readonly types?: string }>>;
};

/** Source and declarations of the entry point that an import names; undefined for imports of anything else. */
export function coreDoor(specifier: string): { readonly source: string; readonly types: string } | undefined {
  const door = /^@recourse\/core($|\/)/.test(specifier) ? exports[specifier.replace("@recourse/core", ".")] : undefined;
  if (door?.types === undefined || door["@recourse/source"] === undefined) return undefined;
  return { source: join(FOLDER, door["@recourse/source"]), types: join(FOLDER, door.types) };
}
