/** One stored link of a product. */
export interface Link {
  /** Such as `gs1:pip`. */
  readonly linkType: string;
  readonly href: string;
  readonly title: string;
  readonly mediaType?: string;
  /** Language tags; empty for a link for all languages. */
  readonly languages: readonly string[];
  readonly isDefault: boolean;
  /** Whether the query of the request is appended to the link. */
  readonly forwardsQuery: boolean;
}

/** A product with its links. */
export interface LinkedProduct {
  readonly gtin: string;
  readonly name: string;
  readonly links: readonly Link[];
}

/** The address of GS1's link types. */
const VOCABULARY = "https://ref.gs1.org/voc/";

/** The short form of a link type, such as `gs1:pip`, from the short form or the full address. */
function shortLinkType(asked: string): string {
  return asked.startsWith(VOCABULARY) ? `gs1:${asked.slice(VOCABULARY.length)}` : asked;
}

/** The full address of a link type. */
export function fullLinkType(short: string): string {
  return short.replace(/^gs1:/, VOCABULARY);
}

/** The link that a caller wants. */
export interface LinkQuery {
  /**
   * The link type.
   *
   * @default the default link
   */
  readonly linkType?: string | undefined;
  /**
   * Language tags, best first.
   *
   * @default []
   */
  readonly languages?: readonly string[] | undefined;
}

/** The best links, or why there are no links. */
export type LinkChoice =
  | { readonly links: readonly [Link, ...Link[]] }
  | { readonly none: "default" | "link_type"; readonly available: readonly string[] };

/** Chooses among the links of a product: by type, then by language. */
export function chooseLinks(links: readonly Link[], wish: LinkQuery): LinkChoice {
  const { linkType } = wish;
  const short = linkType === undefined ? undefined : shortLinkType(linkType);
  const isDefault = short === undefined || short === "gs1:defaultLink";
  const [first, ...rest] = links.filter((link) => (isDefault ? link.isDefault : link.linkType === short));
  if (first === undefined) {
    return { none: isDefault ? "default" : "link_type", available: linkTypes(links) };
  }
  return { links: byLanguage([first, ...rest], wish.languages ?? []) };
}

/** The link types of a product. */
function linkTypes(links: readonly Link[]): readonly string[] {
  return [...new Set(links.map((link) => link.linkType))];
}

/** The links in the first language that any link has, else the links for all languages, else all links. */
function byLanguage(links: readonly [Link, ...Link[]], languages: readonly string[]): readonly [Link, ...Link[]] {
  const wants = [...languages.map((tag) => (link: Link) => hasLanguage(link, tag)), isForAllLanguages];
  for (const suits of wants) {
    const [first, ...rest] = links.filter(suits);
    if (first !== undefined) return [first, ...rest];
  }
  return links;
}

/** A link in `en` suits a caller who asks for `en-GB`, and vice versa. */
function hasLanguage(link: Link, tag: string): boolean {
  const base = (one: string) => one.toLowerCase().split("-")[0];
  return link.languages.some((language) => base(language) === base(tag));
}

function isForAllLanguages(link: Link): boolean {
  return link.languages.length === 0;
}

const MAX_HEADER_LENGTH = 512;

/** The language tags of an `Accept-Language` header, best first, without `*` and tags of weight 0. */
export function parseAcceptLanguage(header: string | null | undefined): readonly string[] {
  if (header === null || header === undefined || header.length > MAX_HEADER_LENGTH) return [];
  return header
    .split(",")
    .map(parseRange)
    .filter(({ tag, weight }) => /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

function parseRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...params] = range.split(";").map((part) => part.trim());
  const weight = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
  return { tag, weight: Number.isFinite(weight) ? weight : 0 };
}
