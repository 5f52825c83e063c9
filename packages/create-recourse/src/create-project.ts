import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** Names that npm does not allow. */
const RESERVED = ["node_modules", "favicon.ico"];
const MAX_NAME_LENGTH = 214;

/** A name that npm accepts for the project in a folder: lower case, and nothing but letters, digits and `-`, `_`, `.`. */
export function projectName(folder: string, fallback: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    .slice(0, MAX_NAME_LENGTH);
  return name === "" || RESERVED.includes(name) ? fallback : name;
}

/** The projects that can be started, and what to do first in each. */
export const TEMPLATES = {
  server: {
    about: "an MCP server with three tools, over stdio and HTTP",
    commands: { "npm run try": "calls it and prints what a model reads", "npm test": "tests its failures" },
  },
  agent: {
    about: "an agent with a scripted model, and the server that it calls",
    commands: { "npm start": "prints a conversation", "npm test": "tests what it does about failures" },
  },
} as const satisfies Record<string, Template>;

/** The name of a template, and of its folder in the package. */
export type TemplateName = keyof typeof TEMPLATES;

interface Template {
  readonly about: string;
  /** Commands to try after `npm install`, each with what it does. */
  readonly commands: Readonly<Record<string, string>>;
}

/** npm leaves files of these names out of a package, so they travel under another one. */
export const RENAMED = { gitignore: ".gitignore" } as const;

/** What `createProject` needs. */
interface ProjectRequest {
  readonly folder: string;
  readonly template: TemplateName;
  /** The folder that holds the templates. */
  readonly templates: string;
}

/** The name of the new project, or a sentence that says why there is none. */
type CreationResult = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly text: string };

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
export function createProject({ folder, template, templates }: ProjectRequest): CreationResult {
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
