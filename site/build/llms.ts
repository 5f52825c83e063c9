// Maps of the documentation for language models: llms.txt names every page, llms-full.txt holds the most useful ones.
import type { SitePage } from "../content/page.ts";
import { findMarkdownAddress, makeUrl, type PlainOptions, renderPlainMarkdown } from "../content/plain-markdown.ts";
import { expandMap } from "../map.ts";

const SUMMARY =
  "Recourse is the error system for MCP: every failed call ends with one answer, what to do next. It has a library for servers and clients, a gateway, a command line, and a catalogue of errors.";

/** Pages of llms-full.txt: the guides, the gateway, and the catalogue as tables. */
const FULL = /^\/(?:guide|gateway)\/|^\/errors\/by-(?:kind|class)\/$|^\/cli\/$|^\/docs\/$/;

/** More than most models take at once. A test keeps the file below. */
export const MAX_FULL_BYTES = 1_000_000;

const withoutPeriod = (text: string) => text.replace(/\.$/, "");

/** One line for each page, by the sections of the map. */
export function renderLlmsMap(pages: readonly SitePage[], options: PlainOptions): string {
  const byAddress = new Map(pages.map((page) => [page.source.address, page]));
  const sections = expandMap([...byAddress.keys()]).map(({ label, groups }) => {
    const lines = groups
      .flatMap((group) => group.pages)
      .flatMap((address) => {
        const page = byAddress.get(address);
        if (page === undefined) return [];
        const description = page.description === "" ? "" : `: ${withoutPeriod(page.description)}`;
        return [`- [${page.title}](${makeUrl(findMarkdownAddress(address), options.base)})${description}`];
      });
    return `## ${label}\n\n${lines.join("\n")}`;
  });
  const full = `The guides, the gateway and the catalogue in one file: ${makeUrl("/llms-full.txt", options.base)}`;
  return `# Recourse\n\n> ${SUMMARY}\n\n${full}\n\n${sections.join("\n\n")}\n`;
}

/** The text of the pages that most questions are about, one after the other. It begins with its size. */
export function renderLlmsFull(pages: readonly SitePage[], options: PlainOptions): string {
  const chosen = pages.filter(({ source }) => FULL.test(source.address));
  const texts = chosen.map(
    (page) => `<!-- ${makeUrl(page.source.address, options.base)} -->\n\n${renderPlainMarkdown(page, options).trim()}`,
  );
  const body = texts.join("\n\n---\n\n");
  const size = `${chosen.length} pages, ${Math.round(Buffer.byteLength(body) / 1000)} kB`;
  return `# Recourse\n\n> ${SUMMARY}\n\nThis file holds the guides, the gateway and the catalogue of errors: ${size}. All pages: ${makeUrl("/llms.txt", options.base)}\n\n${body}\n`;
}
