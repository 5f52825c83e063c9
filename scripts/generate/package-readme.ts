import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The README of the package: that of the repository, without the part for contributors, with links that work anywhere. */
export function packageReadme(): string {
  const readme = readFileSync(`${ROOT}/README.md`, "utf8");
  const { homepage } = JSON.parse(readFileSync(`${ROOT}/packages/faults/package.json`, "utf8")) as {
    readonly homepage: string;
  };
  const base = homepage.replace(/#.*$/, "/blob/main");
  const [forUsers = ""] = readme.split("## Work on it");
  const linked = forUsers.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](${base}/$1)`);
  return `${linked.trimEnd()}\n\nLicence: Apache-2.0.\n`;
}
