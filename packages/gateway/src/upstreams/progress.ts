import { parseJson } from "@recourse/faults/internal-do-not-use";
import { valuesOf, withSpans } from "../json/members.ts";
import { type Span, skipSpace } from "../json/skip.ts";
import { findEnvelope } from "./json-spans.ts";
import type { UpstreamRequest } from "./upstream.ts";

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

/** A progress notification: the token in it, and where it stands. */
export interface Progress {
  readonly token: unknown;
  readonly span: Span;
}

/** What a notification says about progress. Undefined where it names no token, or where two parsers could read two. */
export function progressIn(message: Buffer): Progress | undefined {
  const [params, ...more] = valuesOf(message, skipSpace(message, 0), "params");
  if (params === undefined || more.length > 0) return undefined;
  const [span, ...others] = valuesOf(message, params.start, "progressToken");
  if (span === undefined || others.length > 0) return undefined;
  return { token: parseJson(message.toString("utf8", span.start, span.end)), span };
}

/**
 * The request with a token of the gateway's, for an upstream that is sent each request on a stream of its own. Progress with
 * another token never reaches the caller; with this one it gets the caller's.
 */
export function withOwnToken(request: UpstreamRequest, minted: string): UpstreamRequest {
  const { params, token } = mintToken(request.params, minted);
  const { onNotification } = request;
  return {
    ...request,
    params,
    onNotification(message) {
      if (methodOf(message) !== "notifications/progress") {
        onNotification(message);
        return;
      }
      const progress = token === undefined ? undefined : progressIn(message);
      if (progress?.token === minted) onNotification(withSpans(message, [progress.span], token ?? ""));
    },
  };
}

function methodOf(message: Buffer): unknown {
  const span = findEnvelope(message)?.method;
  return span === undefined ? undefined : parseJson(message.toString("utf8", span.start, span.end));
}
