// Copies the templates of create-recourse from the examples, before it is packed: node scripts/templates.ts
import { cpSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { RENAMED, type TemplateName } from "../packages/create-recourse/src/create-project.ts";

const ROOT = join(import.meta.dirname, "..");
/** The locks of examples do not hold the packages of this repository, so a started project makes a lock of its own. */
const NOT_COPIED = ["node_modules", "package-lock.json"];

/** The example of each template. */
const EXAMPLES = { server: "starter-server", agent: "starter-agent" } as const satisfies Record<TemplateName, string>;

/** What an example needs of another one: the agent brings the server that it calls, without what only tries it. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "starter-agent": { server: "starter-server/src" },
};

/** Copies what an example takes from other examples into a copy of it. */
export function copyParts(example: string, folder: string): void {
  for (const [to, from] of Object.entries(PARTS[example] ?? {})) {
    const filter = (path: string) => basename(path) !== "try.ts";
    cpSync(join(ROOT, "examples", from), join(folder, to), { recursive: true, filter });
  }
}

/** Writes all templates into a folder. */
export function copyTemplates(destination: string): void {
  rmSync(destination, { recursive: true, force: true });
  for (const [template, example] of Object.entries(EXAMPLES)) {
    const folder = join(destination, template);
    cpSync(join(ROOT, "examples", example), folder, {
      recursive: true,
      filter: (path) => !NOT_COPIED.includes(basename(path)),
    });
    copyParts(example, folder);
    for (const [packed, name] of Object.entries(RENAMED)) renameSync(join(folder, name), join(folder, packed));
  }
}

if (import.meta.main) copyTemplates(join(ROOT, "packages/create-recourse/templates"));
