import { type Link, shortLinkType } from "./link.ts";

/** What somebody wants of a product. */
export interface Wish {
  /** The default link unless named. */
  readonly linkType?: string | undefined;
  /** Language tags, best first. */
  readonly languages?: readonly string[] | undefined;
}

/** The links that suit best, or why there is none. */
export type Choice =
  | { readonly links: readonly [Link, ...Link[]] }
  | { readonly none: "default" }
  | { readonly none: "link_type"; readonly available: readonly string[] };

/** Chooses among the links of a product: by type, then by language. */
export function chooseLinks(links: readonly Link[], wish: Wish): Choice {
  const { linkType } = wish;
  const short = linkType === undefined ? undefined : shortLinkType(linkType);
  const isDefault = short === undefined || short === "gs1:defaultLink";
  const [first, ...rest] = links.filter((link) => (isDefault ? link.isDefault : link.linkType === short));
  if (first === undefined) {
    return isDefault ? { none: "default" } : { none: "link_type", available: typesOf(links) };
  }
  return { links: byLanguage([first, ...rest], wish.languages ?? []) };
}

/** The types that a product has links of. */
function typesOf(links: readonly Link[]): readonly string[] {
  return [...new Set(links.map((link) => link.linkType))];
}

/** Those in the first language that any has; where none has one, those for all languages; else all of them. */
function byLanguage(links: readonly [Link, ...Link[]], languages: readonly string[]): readonly [Link, ...Link[]] {
  const wants = [...languages.map((tag) => (link: Link) => speaks(link, tag)), isForAll];
  for (const suits of wants) {
    const [first, ...rest] = links.filter(suits);
    if (first !== undefined) return [first, ...rest];
  }
  return links;
}

/** A link in `en` suits whoever asks for `en-GB`, and the other way round. */
function speaks(link: Link, tag: string): boolean {
  const base = (one: string) => one.toLowerCase().split("-")[0];
  return link.languages.some((language) => base(language) === base(tag));
}

function isForAll(link: Link): boolean {
  return link.languages.length === 0;
}
