import { invalid_encoding } from "../../../reasons/library/content.ts";
import type { Step } from "../exchange.ts";

/** JSON is UTF-8: bytes that are not must not turn silently into other characters. */
export const checkEncoding: Step = (exchange) => {
  if (exchange.bytes === undefined) return exchange;
  try {
    return { ...exchange, text: new TextDecoder("utf-8", { fatal: true }).decode(exchange.bytes) };
  } catch {
    return { refused: invalid_encoding.fault({ encoding: "UTF-8" }) };
  }
};
