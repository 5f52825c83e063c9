import { valuesOf, withSpans } from "../../json/members.ts";
import type { Span } from "../../json/skip.ts";

/** Params whose progress token is one of the gateway. */
export interface MintedToken {
  readonly params: Buffer;
  /** The token that the caller sent, as JSON; undefined where it asks for no progress. */
  readonly token: string | undefined;
}

/** Gives params a token of the gateway's in place of the caller's, since two callers may use the same one. */
export function mintToken(params: Buffer, minted: string): MintedToken {
  const [meta] = params.includes("progressToken") ? valuesOf(params, 0, "_meta") : [];
  const [span] = meta === undefined ? [] : valuesOf(params, meta.start, "progressToken");
  if (span === undefined) return { params, token: undefined };
  const token = params.toString("utf8", span.start, span.end);
  return { params: withSpans(params, [span], JSON.stringify(minted)), token };
}

/** Where the progress token stands in the bytes of a notification. */
export function tokenSpan(message: Buffer): Span | undefined {
  const [params] = valuesOf(message, 0, "params");
  return params === undefined ? undefined : valuesOf(message, params.start, "progressToken")[0];
}
