// Assembles the site of all versions in one folder: the newest release at its root, the main branch in `next/`, and each minor
// release in a folder of its own, which is built once and never again.
//   node --conditions=@recourse/source site/build/release.ts --folder <folder> --tag v0.1.0
//   node --conditions=@recourse/source site/build/release.ts --folder <folder> --next
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addVersion, NEXT, nameMinor, type SiteVersion, type VersionList } from "../content/versions.ts";
import { type BuildOptions, buildSite } from "./run.ts";

/** The list of versions, at the root. */
const LIST = "versions.json";

/** Folders of versions. Everything else at the root belongs to the newest release. */
const VERSION_FOLDER = /^(?:next|v\d+\.\d+)$/;

/** What is released. */
export interface Release {
  /** The folder of all versions. */
  readonly folder: string;
  /** The tag of the release, or undefined for the main branch. */
  readonly tag: string | undefined;
}

/** How a release is built, or why it is not. */
export type ReleasePlan =
  | { readonly ok: true; readonly version: SiteVersion; readonly list: VersionList; readonly isNewest: boolean }
  | { readonly ok: false; readonly problem: string };

/** Decides what to build. */
export function planRelease(options: {
  readonly tag: string | undefined;
  readonly list: VersionList | undefined;
  readonly folders: readonly string[];
}): ReleasePlan {
  const { tag, list, folders } = options;
  if (tag === undefined) return { ok: true, version: NEXT, list: addVersion(list, NEXT), isNewest: list === undefined };
  const name = nameMinor(tag);
  if (name === undefined) return { ok: false, problem: `${tag} is not the tag of a release, such as v0.1.0` };
  if (folders.includes(name))
    return { ok: false, problem: `${name} is built already, and a released version is never built again` };
  const version = { name, base: `/${name}/`, revision: tag };
  const next = addVersion(list, version);
  return { ok: true, version, list: next, isNewest: next.newest === name };
}

function readList(folder: string): VersionList | undefined {
  const file = join(folder, LIST);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as VersionList) : undefined;
}

/** Replaces the files at the root, and leaves the folders of versions alone. */
function replaceRoot(folder: string, built: string): void {
  for (const name of readdirSync(folder)) {
    if (!VERSION_FOLDER.test(name)) rmSync(join(folder, name), { recursive: true });
  }
  cpSync(built, folder, { recursive: true });
}

/** Builds a release into the folder of all versions. */
export async function release(
  { folder, tag }: Release,
  build: (options: BuildOptions) => Promise<void> = buildSite,
): Promise<ReleasePlan> {
  mkdirSync(folder, { recursive: true });
  const plan = planRelease({ tag, list: readList(folder), folders: readdirSync(folder) });
  if (!plan.ok) return plan;
  const { name, base, revision } = plan.version;
  const temporary = mkdtempSync(join(tmpdir(), "recourse-release-"));
  try {
    await build({ folder: join(temporary, name), base, revision });
    if (plan.isNewest) await build({ folder: join(temporary, "newest"), base: "/", revision });
    rmSync(join(folder, name), { recursive: true, force: true });
    if (plan.isNewest) replaceRoot(folder, join(temporary, "newest"));
    cpSync(join(temporary, name), join(folder, name), { recursive: true });
    writeFileSync(join(folder, LIST), `${JSON.stringify(plan.list, undefined, 2)}\n`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  return plan;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { folder: { type: "string" }, tag: { type: "string" }, next: { type: "boolean", default: false } },
  });
  if (values.folder === undefined || (values.tag === undefined) !== values.next) {
    console.error("Usage: release.ts --folder <folder> (--tag v0.1.0 | --next)");
    process.exitCode = 2;
  } else {
    const plan = await release({ folder: values.folder, tag: values.tag });
    if (!plan.ok) {
      console.error(plan.problem);
      process.exitCode = 1;
    } else console.log(`${plan.version.name} is built; the newest release is ${plan.list.newest}`);
  }
}
