import { message_too_large } from "../../../reasons/library/content.ts";
import { internal } from "../../../reasons/library/core.ts";
import { bad_request } from "../../../reasons/library/protocol.ts";
import { type Refusal, readsBody, type Step } from "../exchange.ts";
import { readStream } from "../read.ts";

/** The most bytes of a body unless the author says otherwise. */
const DEFAULT_MAX = 16 * 1_024 * 1_024;

/** Reads the body, and stops where it is longer than announced or allowed. */
export const checkSize: Step = async (exchange) => {
  if (!readsBody(exchange)) return exchange;
  const { request, options } = exchange;
  const maxSize = options.maxBodyBytes ?? DEFAULT_MAX;
  const announced = lengthOf(request.headers.get("content-length"));
  if (announced !== undefined && announced > maxSize) return tooLarge(maxSize, announced);
  if (request.bodyUsed) {
    const cause = new Error("The body was read before it came to the guard, and no parsedBody was given.");
    return { refused: internal.fault({}, { effect: "none" }), cause };
  }
  try {
    const bytes = await readStream(request.body, maxSize);
    return bytes === undefined ? tooLarge(maxSize) : { ...exchange, bytes };
  } catch {
    // The sender went away, or its framing is broken: nobody's failure but its own.
    return { refused: bad_request.fault() };
  }
};

function tooLarge(maxSize: number, actualSize?: number): Refusal {
  return { refused: message_too_large.fault({ maxSize, ...(actualSize !== undefined && { actualSize }) }) };
}

function lengthOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
