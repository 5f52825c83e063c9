import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectName } from "./project-name.ts";
import { RENAMED, type TemplateName } from "./templates.ts";

/** What `createProject` needs. */
export interface ProjectRequest {
  readonly folder: string;
  readonly template: TemplateName;
  /** The folder that holds the templates. */
  readonly templates: string;
}

/** The name of the new project, or a sentence that says why there is none. */
export type Created = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly text: string };

/** What the system refused, by its code. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "there is a file of this name",
  ENAMETOOLONG: "the name is too long",
};

/** Copies a template into a new or empty folder. It does not throw. */
export function createProject({ folder, template, templates }: ProjectRequest): Created {
  try {
    mkdirSync(folder, { recursive: true });
    // A new repository is no work of anybody yet.
    const found = readdirSync(folder).filter((name) => name !== ".git");
    if (found.length > 0) {
      return { ok: false, text: `The folder "${folder}" is not empty (it has "${found[0]}"). Name a new one.` };
    }
    cpSync(join(templates, template), folder, { recursive: true });
    for (const [packed, name] of Object.entries(RENAMED)) renameSync(join(folder, packed), join(folder, name));
    const name = projectName(folder, `my-${template}`);
    nameProject(join(folder, "package.json"), name);
    return { ok: true, name };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return { ok: false, text: `"${folder}" could not be written: ${REFUSALS[code] ?? code}.` };
  }
}

function nameProject(file: string, name: string): void {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, `${JSON.stringify({ ...manifest, name }, undefined, 2)}\n`);
}
