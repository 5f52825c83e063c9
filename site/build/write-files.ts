// Writes what the site has beside its pages: each page as Markdown, maps for programs, redirects, files for the host.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SITE_URL } from "../content/address.ts";
import { toRelative } from "../content/links.ts";
import type { SitePage } from "../content/page.ts";
import { findMarkdownAddress, type PlainOptions, renderPlainMarkdown } from "../content/plain-markdown.ts";
import { addVersion, nameMinor } from "../content/versions.ts";
import { REDIRECTS, renderRedirect } from "../redirects.ts";
import { renderHeaders, renderNginx, renderRobots } from "./host-files.ts";
import { renderLlmsFull, renderLlmsMap } from "./llms.ts";

/** What the files say. */
export interface FileOptions extends PlainOptions {
  /** The version of the packages: `0.1.0`. */
  readonly version: string;
}

/** All files, by their path in the folder of the site. */
export function makeFiles(pages: readonly SitePage[], options: FileOptions): ReadonlyMap<string, string> {
  const { base, version, revision } = options;
  const name = nameMinor(version) ?? version;
  const files = new Map<string, string>([
    ["llms.txt", renderLlmsMap(pages, options)],
    ["llms-full.txt", renderLlmsFull(pages, options)],
  ]);
  for (const page of pages) {
    files.set(findMarkdownAddress(page.source.address).slice(1), renderPlainMarkdown(page, options));
  }
  for (const [from, to] of Object.entries(REDIRECTS)) {
    const html = renderRedirect({ target: toRelative(from, to), canonical: `${SITE_URL}${to}` });
    files.set(`${from.slice(1)}index.html`, html);
  }
  // Hosts read these at the root only.
  if (base === "/") {
    files.set("robots.txt", renderRobots({ site: SITE_URL, version }));
    files.set("_headers", renderHeaders());
    files.set("nginx.conf", renderNginx());
    // `release.ts` replaces it by the list of all versions.
    files.set("versions.json", `${JSON.stringify(addVersion(undefined, { name, base, revision }), undefined, 2)}\n`);
  }
  return files;
}

/** Writes the files. A file that is there already was made by Astro, which is a mistake in the table of redirects. */
export function writeFiles(pages: readonly SitePage[], folder: string, options: FileOptions): void {
  for (const [file, text] of makeFiles(pages, options)) {
    const path = join(folder, file);
    if (existsSync(path)) throw new Error(`${file} is written twice`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
