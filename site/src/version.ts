// Which version of the repository the site shows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SITE_PATH } from "../content/address.ts";

const { version } = JSON.parse(readFileSync(join(process.cwd(), "../packages/faults/package.json"), "utf8")) as {
  version: string;
};

/** The version of the packages. */
export const VERSION: string = version;

/** Where this version is served below the site: "/", "/next/", "/v0.1/". */
export const VERSION_BASE: string = import.meta.env.BASE_URL.slice(SITE_PATH.length);

/** The tag or branch that links into the repository name. */
export const REVISION: string = process.env["RECOURSE_SITE_REVISION"] ?? "main";
