// What the head of a page says to search engines, previews and programs, beyond what Starlight writes.
import { SITE_URL } from "./address.ts";
import { findMarkdownAddress, makeUrl } from "./plain-markdown.ts";

/** An element of the head, as Starlight has it. */
export interface HeadElement {
  readonly tag: string;
  readonly attrs?: Readonly<Record<string, string | boolean | undefined>>;
  readonly content?: string;
}

/** What is known of a page when it is rendered. */
export interface HeadOptions {
  /** Without the base: `/gateway/breakers/`. */
  readonly address: string;
  readonly base: string;
  readonly title: string;
  /** The picture for previews, from the folder of the site. */
  readonly picture: string;
  /** Whether the page is there as Markdown, too. */
  readonly hasMarkdown: boolean;
}

const isCanonical = ({ attrs }: HeadElement) => attrs?.["rel"] === "canonical";
const isUrl = ({ attrs }: HeadElement) => attrs?.["property"] === "og:url";

/** The elements to add. The canonical address of an older version is the page of the newest one. */
export function completeHead(head: readonly HeadElement[], options: HeadOptions): readonly HeadElement[] {
  const { address, base, title, picture, hasMarkdown } = options;
  const canonical = `${SITE_URL}${address}`;
  return [
    ...head.filter((element) => !isCanonical(element) && !isUrl(element)),
    { tag: "link", attrs: { rel: "canonical", href: canonical } },
    { tag: "meta", attrs: { property: "og:url", content: canonical } },
    { tag: "meta", attrs: { property: "og:image", content: makeUrl(`/${picture}`, base) } },
    { tag: "meta", attrs: { property: "og:image:width", content: "1200" } },
    { tag: "meta", attrs: { property: "og:image:height", content: "630" } },
    { tag: "meta", attrs: { property: "og:image:alt", content: title } },
    ...(hasMarkdown
      ? [
          {
            tag: "link",
            attrs: { rel: "alternate", type: "text/markdown", href: makeUrl(findMarkdownAddress(address), base) },
          },
        ]
      : []),
    ...(base === "/" ? [] : [{ tag: "meta", attrs: { name: "robots", content: "noindex" } }]),
  ];
}
