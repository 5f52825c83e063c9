// A page as plain Markdown, for programs that read the documentation: links are whole addresses, pictures are links.
import { SITE_URL } from "./address.ts";
import { type LinkOptions, rewriteLink } from "./links.ts";
import { changeLinks } from "./markdown.ts";
import type { SitePage } from "./page.ts";

/** How pages are written. */
export interface PlainOptions extends LinkOptions {
  /** Which version it is, by where it is served below the site: `/`, `/next/`, `/v0.1/`. */
  readonly base: string;
}

const PICTURE = /<picture>[\s\S]*?<img\b[^>]*?src="([^"]+)"[^>]*?alt="([^"]*)"[\s\S]*?<\/picture>/g;
const GENERATED = /^<!--[^>]*-->\n*/;

/** The whole address of a page. */
export function makeUrl(address: string, base: string): string {
  return `${SITE_URL}${base.replace(/\/$/, "")}${address}`;
}

/** The address of the Markdown of a page: `/gateway/breakers.md`. */
export function findMarkdownAddress(address: string): string {
  return address === "/" ? "/index.md" : `${address.slice(0, -1)}.md`;
}

/** Renders a page. Those from the repository keep their text; others are their body below the title. */
export function renderPlainMarkdown(page: SitePage, options: PlainOptions): string {
  const { source, title, body } = page;
  const url = makeUrl(source.address, options.base);
  const toUrl = (link: string) => new URL(link, url).href;
  if (source.text === "") {
    const text = changeLinks(body, toUrl).replaceAll(/^(#{2,6} .+?) \{#[^}]+\}$/gm, "$1");
    return `# ${title}\n\n${text.replaceAll(/<a id="[^"]*"><\/a> ?/g, "")}`;
  }
  const text = source.text.replace(GENERATED, "");
  return changeLinks(text, (link) => toUrl(rewriteLink(source, link, options))).replaceAll(PICTURE, "![$2]($1)");
}
