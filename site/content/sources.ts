// Which Markdown files of the repository are pages of the site, and at which address.
import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, "../..");

/** A Markdown file of the repository that is a page of the site. */
export interface SourcePage {
  /** From the root of the repository: `docs/gateway/breakers.md`. */
  readonly file: string;
  /** With a slash at both ends: `/gateway/breakers/`. */
  readonly address: string;
  /** The text of the file. */
  readonly text: string;
}

/** Pages from outside `docs/`. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "/changelog/",
  "CONTRIBUTING.md": "/contributing/",
  "SECURITY.md": "/security/",
  "conformance/README.md": "/conformance/",
  "conformance/FACTS.md": "/conformance/facts/",
  "reference/README.md": "/reference-servers/",
};

/** The address of a file, or undefined if it is no page of the site. */
export function findAddress(file: string): string | undefined {
  const other = OTHER_PAGES[file];
  if (other !== undefined) return other;
  const [, path] = /^(?:docs\/(.+)|(?:(design\/.+)))\.md$/.exec(file)?.filter((part) => part !== undefined) ?? [];
  if (path === undefined) return undefined;
  const folder = path.replace(/(?:^|\/)README$/, "");
  return folder === "" ? "/docs/" : `/${folder}/`;
}

/** Reads all pages, in the order of their addresses. */
export function readSources(root = ROOT): readonly SourcePage[] {
  const files = [...globSync("{docs,design}/**/*.md", { cwd: root }), ...Object.keys(OTHER_PAGES)];
  return files
    .map((file) => file.split(sep).join(posix.sep))
    .flatMap((file) => {
      const address = findAddress(file);
      return address === undefined ? [] : [{ file, address, text: readFileSync(join(root, file), "utf8") }];
    })
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
}
