import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "@recourse/core/wire";
import type { BrokenCall } from "../call/call.ts";
import type { Holder } from "../call/caller.ts";
import type { CallerSession } from "../call/session.ts";

interface StreamOwner {
  readonly caller: Pick<Holder, "id">;
  readonly session: Pick<CallerSession, "nonce">;
}

/**
 * The ids of the event streams that answer calls. A client whose stream broke names the last id that it got: all that is needed
 * to answer its call is inside, signed for the caller and its session, so that every replica can do it without a store.
 */
export interface StreamIds {
  /** The id for the stream of a call; undefined if the id of the call is longer than `MAX_CALL_ID`. */
  write(owner: StreamOwner, call: BrokenCall): string | undefined;
  /** The call of an id that was written for this caller and session within the last hour; undefined for every other text. */
  read(owner: StreamOwner, text: string): BrokenCall | undefined;
}

interface StreamIdsOptions {
  readonly now?: () => number;
}

/** How long a broken stream can be asked about. Clients come back within seconds. */
export const STREAM_ID_MS = 3_600_000;
/** Ids of calls are as long as callers make them, as JSON: the stream of one with a longer id has none. */
export const MAX_CALL_ID = 256;
const MAX_TOOL_NAME = 256;

const ID_FORM = /^c1\.([\w-]{1,4096})\.([\w-]{43})$/;
const SIGNATURE_LENGTH = 43;
/** Version, signature of the id of the stream. */
const ENDED_FORM = /^e1\.[\w-]{43}$/;

export function createStreamIds(secret: Buffer, { now = Date.now }: StreamIdsOptions = {}): StreamIds {
  // Written as JSON, so that no two lists have the same text.
  const sign = ({ caller, session }: StreamOwner, contents: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["stream/1", caller.id, session.nonce, contents]))
      .digest("base64url");
  return {
    write(owner, { id, tool, hasOutputSchema, readsOnly, isRepeatable }) {
      if (id.length > MAX_CALL_ID) return undefined;
      const ends = Math.ceil((now() + STREAM_ID_MS) / 1_000);
      const flags = [hasOutputSchema, readsOnly, isRepeatable].map(Number);
      const list = [id, tool.length > MAX_TOOL_NAME ? "" : tool, ends, ...flags];
      const contents = Buffer.from(JSON.stringify(list)).toString("base64url");
      return `c1.${contents}.${sign(owner, contents)}`;
    },
    read(owner, text) {
      const [, contents, signature] = ID_FORM.exec(text) ?? [];
      if (contents === undefined || signature === undefined) return undefined;
      // The texts are compared, since several texts stand for the same bytes.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(owner, contents)))) return undefined;
      return readBrokenCall(Buffer.from(contents, "base64url").toString(), now());
    },
  };
}

/** The id of the last event of a stream: nothing is left to be asked about its call. */
export function endedStreamId(id: string): string {
  return `e1.${id.slice(-SIGNATURE_LENGTH)}`;
}

export function isEndedStreamId(text: string): boolean {
  return ENDED_FORM.test(text);
}

/** What this gateway signed has its form; another version of it may have written another one. */
function readBrokenCall(text: string, nowMs: number): BrokenCall | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list) || list.length !== 6) return undefined;
  const [id, tool, ends, hasOutputSchema, readsOnly, isRepeatable] = list as unknown[];
  if (typeof id !== "string" || typeof tool !== "string" || typeof ends !== "number") return undefined;
  if (ends * 1_000 <= nowMs) return undefined;
  return {
    id,
    tool,
    hasOutputSchema: hasOutputSchema === 1,
    readsOnly: readsOnly === 1,
    isRepeatable: isRepeatable === 1,
  };
}
