// Builds the website into site/dist.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SITE_PATH } from "../content/address.ts";
import { copyPictures, drawPictures, planPictures } from "./draw-share-pictures.ts";
import { securePages } from "./secure-pages.ts";
import { writeData, writeHeadData } from "./write-data.ts";
import { writeFiles } from "./write-files.ts";
import { writePages } from "./write-pages.ts";

const SITE = join(import.meta.dirname, "..");

async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(command, args, { cwd: SITE, stdio: "inherit", env: { ...process.env, ...env } });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

/** What is built, and where to. */
export interface BuildOptions {
  /** The folder to write, which is emptied. @default "site/dist" */
  readonly folder?: string;
  /** Where it will be served below the site. @default "/" */
  readonly base?: string;
  /** The tag or branch of the repository that links name. @default "main" */
  readonly revision?: string;
  /** Whether Astro prints nothing. @default false */
  readonly isQuiet?: boolean;
}

/** Builds the site. */
export async function buildSite({
  folder = join(SITE, "dist"),
  base = "/",
  revision = "main",
  isQuiet = false,
}: BuildOptions = {}): Promise<void> {
  if (!existsSync(join(SITE, "node_modules"))) await run("npm", ["ci", "--ignore-scripts"]);
  const pages = writePages({ revision });
  await writeData();
  const pictures = planPictures(pages);
  writeHeadData(pages, pictures);
  const drawing = drawPictures(pictures);
  // What Astro remembers of pages names files of the build before.
  const rendering = run(
    process.execPath,
    ["node_modules/astro/bin/astro.mjs", "build", "--force", ...(isQuiet ? ["--silent"] : [])],
    {
      ASTRO_TELEMETRY_DISABLED: "1",
      RECOURSE_SITE_BASE: base,
      RECOURSE_SITE_OUT: folder,
      RECOURSE_SITE_REVISION: revision,
    },
  );
  await Promise.all([drawing, rendering]);
  copyPictures(pictures, folder);
  writeFiles(pages, folder, { base, revision, version: readVersion() });
  securePages(folder, `${SITE_PATH}${base}`);
}

/** The version of the packages, which all have the same. */
function readVersion(): string {
  const manifest = readFileSync(join(SITE, "../packages/faults/package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { base: { type: "string", default: "/" }, revision: { type: "string", default: "main" } },
  });
  const [folder = join(SITE, "dist", values.base)] = positionals;
  // Only a build of the newest version or of the main branch replaces an older one.
  if (/^\/v\d/.test(values.base) && existsSync(folder))
    throw new Error(`${folder} exists; a released version is built once`);
  await buildSite({ folder, ...values });
}
