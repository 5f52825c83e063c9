import { parse_error } from "../../../reasons/library/protocol.ts";
import type { Step } from "../exchange.ts";

/** Parses the message; whether it is a request is for the handler to say. */
export const checkJson: Step = (exchange) => {
  if (exchange.text === undefined) return exchange;
  try {
    return { ...exchange, message: JSON.parse(exchange.text) as unknown };
  } catch {
    return { refused: parse_error.fault() };
  }
};
