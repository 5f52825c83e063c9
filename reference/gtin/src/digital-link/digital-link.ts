import type { DateAttribute, Qualifier } from "./identifiers.ts";

/** What a GS1 Digital Link URI says about a product. */
export interface DigitalLink {
  /** Fourteen digits. */
  readonly gtin: string;
  readonly qualifiers: Readonly<Partial<Record<Qualifier, string>>>;
  readonly attributes: Readonly<Partial<Record<DateAttribute, string>>>;
}

/** Everything that can be wrong with such a URI. */
export const LINK_PROBLEMS = {
  not_a_uri: "It is not an http or https URI with a host and without userinfo.",
  no_key: "Its path has no /01/ with a GTIN behind it.",
  compressed: "It looks like a compressed Digital Link, which is not supported.",
  gtin: "The value behind /01/ is not a valid GTIN.",
  escape: "A percent escape in it is broken.",
  value: "A value in it is empty, too long, or has characters that GS1 does not allow.",
  qualifiers:
    "What follows the GTIN is not a sequence of qualifiers that GS1 allows: 22, 10, 21 in this order, or 235.",
  qualifier_in_query: "A qualifier stands in the query instead of the path.",
  attribute: "A number in the query is not a data attribute that is supported here.",
  duplicate: "An identifier stands in it twice.",
} as const;
/** One of them. */
export type LinkProblem = keyof typeof LINK_PROBLEMS;
export const LINK_PROBLEM_NAMES = Object.keys(LINK_PROBLEMS) as readonly LinkProblem[];

/** What reading a URI gives. */
export type Parsed =
  | {
      readonly ok: true;
      readonly link: DigitalLink /** The GTIN had less than fourteen digits. */;
      readonly short: boolean;
    }
  | { readonly ok: false; readonly problem: LinkProblem };
