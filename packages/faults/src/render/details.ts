import type { Quote } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";

/**
 * Double quotation marks that a reader could take for the ones of a quotation, with the single ones that English writes
 * inside a quotation. Straight marks stay as they are: names are copied with them.
 */
const SINGLE_MARKS: Readonly<Record<string, string>> = {
  "“": "‘",
  "”": "’",
  "„": "‚",
  "‟": "‛",
  "❝": "❛",
  "❞": "❜",
  "〝": "‘",
  "〞": "’",
  "〟": "’",
  "＂": "＇",
};
const DOUBLE_MARKS = new RegExp(`[${Object.keys(SINGLE_MARKS).join("")}]`, "g");

/** Puts a text between quotation marks that it cannot contain, so that it cannot end the quotation. */
export function quoteForeign(text: string): string {
  return `“${text.replace(DOUBLE_MARKS, (mark) => SINGLE_MARKS[mark] ?? "")}”`;
}

/** How the author of a quotation is named to each reader. A model is also told that it is a quotation. */
const SPEAKERS = {
  model: { thrown: "The tool said", peer: "Quote from the server", upstream: "Quote from the service" },
  person: { thrown: "The program said", peer: "The server said", upstream: "The service said" },
} as const satisfies Record<string, Record<Quote["from"], string>>;

/** A shorter part of a quotation does not help the reader. */
const MIN_QUOTE_LENGTH = 20;

/** Options of `renderQuote`. */
interface QuoteOptions {
  /** The most characters of the quotation with its author. */
  readonly maxLength: number;
  /** Who reads it. @default "model" */
  readonly for?: keyof typeof SPEAKERS;
}

/**
 * A quotation with its author, cut to a length. Its quotation marks cannot occur in the text, so the text cannot end the
 * quotation.
 */
export function renderQuote(quote: Quote, { maxLength, for: reader = "model" }: QuoteOptions): string {
  const speaker = `${SPEAKERS[reader][quote.from]}: `;
  const maxText = maxLength - speaker.length - 2;
  return maxText < MIN_QUOTE_LENGTH ? "" : speaker + quoteForeign(toLine(quote.text, maxText));
}
