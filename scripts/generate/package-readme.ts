import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The README of the package: that of the repository, without the part for contributors, with links and pictures that work
 * anywhere.
 */
export function packageReadme(): string {
  const readme = readFileSync(`${ROOT}/README.md`, "utf8");
  const { homepage } = JSON.parse(readFileSync(`${ROOT}/packages/faults/package.json`, "utf8")) as {
    readonly homepage: string;
  };
  const repository = homepage.replace(/#.*$/, "");
  const [forUsers = ""] = readme.split("## Work on it");
  const linked = forUsers
    .replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](${repository}/blob/main/$1)`)
    .replaceAll(/\b(src|srcset)="(?!https?:)([^"]+)"/g, `$1="${repository}/raw/main/$2"`);
  return `${linked.trimEnd()}\n\nLicence: Apache-2.0.\n`;
}
