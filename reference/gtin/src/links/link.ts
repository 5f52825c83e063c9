/** One link of a product, as it is stored. */
export interface Link {
  /** Such as `gs1:pip`. */
  readonly linkType: string;
  readonly href: string;
  readonly title: string;
  readonly mediaType?: string;
  /** Language tags; none for a link that suits all. */
  readonly languages: readonly string[];
  readonly isDefault: boolean;
  /** Whether the query of the request is handed on. */
  readonly forwardsQuery: boolean;
}

/** A product with everything that it is linked to. */
export interface Linked {
  readonly gtin: string;
  readonly name: string;
  readonly links: readonly Link[];
}

/** Where GS1 defines its link types. */
const VOCABULARY = "https://ref.gs1.org/voc/";

/** The short form of a link type, in which they are stored: both `gs1:pip` and the full address name it. */
export function shortLinkType(asked: string): string {
  return asked.startsWith(VOCABULARY) ? `gs1:${asked.slice(VOCABULARY.length)}` : asked;
}

/** The full address of a link type. */
export function fullLinkType(short: string): string {
  return short.replace(/^gs1:/, VOCABULARY);
}
