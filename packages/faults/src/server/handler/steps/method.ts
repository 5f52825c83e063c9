import { http_method } from "../../../reasons/library/protocol.ts";
import type { Step } from "../exchange.ts";

/** Messages come by POST; what else the handler serves, its author says. */
export const checkMethod: Step = (exchange) => {
  const served = ["POST", ...(exchange.options.methods ?? [])];
  if (served.includes(exchange.request.method)) return exchange;
  return { refused: http_method.fault(), headers: { allow: served.join(", ") } };
};
