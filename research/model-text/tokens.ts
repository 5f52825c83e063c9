import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** How many tokens a text costs, with the encoding o200k_base. Other models count a little differently. */
export function tokens(text: string): number {
  return encode(text).length;
}
