import { invalid_type } from "../../../reasons/library/content.ts";
import { readsBody, type Step } from "../exchange.ts";

/** A message is JSON and says so. */
export const checkContentType: Step = (exchange) => {
  if (!readsBody(exchange)) return exchange;
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return exchange;
  // Only what is a media type by its grammar is shown; the slot withholds the rest.
  return { refused: invalid_type.fault(type === undefined ? {} : { contentType: type }) };
};
