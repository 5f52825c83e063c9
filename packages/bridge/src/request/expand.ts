import type { Style } from "../operations/operation.ts";
import { allTexts, type Flat } from "./flat.ts";
import { made, type Result, refused } from "./result.ts";

/** How a style writes values. */
interface Row {
  /** Stands before everything. */
  readonly lead: string;
  /** Parts the texts of one value. */
  readonly between: string;
  /** Parts them when each stands for itself. */
  readonly exploded: string;
  /** Whether the key is written too. */
  readonly named: boolean;
  /** What stands between a key and an empty text. */
  readonly empty: "=" | "";
}

const FORM = { lead: "", between: ",", exploded: "&", named: true, empty: "=" } as const satisfies Row;

/** The styles whose values are texts in a row. */
export const ROWS = {
  simple: { lead: "", between: ",", exploded: ",", named: false, empty: "=" },
  label: { lead: ".", between: ",", exploded: ".", named: false, empty: "=" },
  matrix: { lead: ";", between: ",", exploded: ";", named: true, empty: "" },
  form: FORM,
  spaceDelimited: { ...FORM, between: "%20" },
  pipeDelimited: { ...FORM, between: "%7C" },
  cookie: { ...FORM, exploded: "; " },
} as const satisfies Readonly<Record<Exclude<Style, "deepObject"> | "cookie", Row>>;

/** A value to be written in a style. */
export interface Expansion {
  readonly key: string;
  readonly explode: boolean;
  /** Encodes a text for its place. */
  readonly encode: (text: string) => string;
}

/** Writes a value in a style. A text that a reader could not tell from two is refused. */
export function expand(row: Row, flat: Flat, { key, explode, encode }: Expansion): Result<string> {
  const pair = (name: string, text: string) => `${encode(name)}${text === "" ? row.empty : "="}${encode(text)}`;
  const parting = explode ? row.exploded : row.between;
  if (flat.kind !== "one" && !allTexts(flat).every((text) => isOne(encode(text), parting)))
    return refused("format", `texts without ${say(parting)}`);
  if (flat.kind === "pairs" && explode && !flat.pairs.every(([name]) => !encode(name).includes("=")))
    return refused("format", "keys without an equals sign");
  switch (flat.kind) {
    case "one":
      return made(row.lead + (row.named ? pair(key, flat.text) : encode(flat.text)));
    case "many": {
      if (explode && row.named) return made(row.lead + flat.texts.map((text) => pair(key, text)).join(parting));
      const list = flat.texts.map(encode).join(parting);
      return made(row.lead + (row.named ? `${encode(key)}=${list}` : list));
    }
    case "pairs": {
      if (explode) return made(row.lead + flat.pairs.map(([name, text]) => pair(name, text)).join(parting));
      const list = flat.pairs.flat().map(encode).join(parting);
      return made(row.lead + (row.named ? `${encode(key)}=${list}` : list));
    }
    default:
      return flat satisfies never;
  }
}

function isOne(encoded: string, parting: string): boolean {
  return !encoded.includes(parting.trim() || parting);
}

const SPOKEN: Readonly<Record<string, string>> = {
  ",": "commas",
  ".": "dots",
  "%20": "spaces",
  "%7C": "vertical bars",
};

function say(parting: string): string {
  return SPOKEN[parting] ?? "separators";
}
