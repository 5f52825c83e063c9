// Which version of the repository the site shows.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { version } = JSON.parse(readFileSync(join(process.cwd(), "../packages/faults/package.json"), "utf8")) as {
  version: string;
};

/** The version of the packages. */
export const VERSION: string = version;

/** The tag or branch that links into the repository name. */
export const REVISION: string = process.env["RECOURSE_SITE_REVISION"] ?? "main";
