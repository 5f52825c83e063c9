import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Answer, Sent } from "../recording/recording.ts";
import type { Revision } from "../recording/revisions.ts";
import type { Connection } from "../wire/http.ts";
import { LIMITS, type ProbeWaits } from "../wire/limits.ts";
import type { MessageId } from "../wire/messages.ts";

/** Something to send, in the form of one transport or both. */
export interface Outgoing {
  /** The message, if it is one. It is sent as JSON unless `body` is given. */
  readonly message?: JsonObject;
  /** What goes over the wire instead. */
  readonly body?: string | Uint8Array;
  /** The id that the answer has to have. */
  readonly id?: MessageId;
  /** Whether the server may be unable to read an id, or may answer nothing at all. */
  readonly junk?: boolean;
  readonly timeoutMs?: number;
  /** What differs from an ordinary HTTP request. `undefined` leaves a header out. */
  readonly http?: {
    readonly url?: URL;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly connection?: Connection;
  };
}

/** What was sent, and what came back. */
export interface Sendout {
  readonly sent: Sent;
  readonly answer: Answer;
}

/** A way to talk to a server in one era. */
export interface Conversation {
  readonly revision: Revision;
  readonly transport: "stdio" | "http";
  readonly waits: ProbeWaits;
  /** Sends and waits. It never rejects. */
  send(outgoing: Outgoing): Promise<Sendout>;
  /** Why nothing more can be sent. */
  ended(): string | undefined;
  /** An id that was not used yet. */
  nextId(): number;
}

/** Why nothing more is sent after the user ended the probe. */
export const ABORTED = "You ended the probe.";

/** The text or bytes of something to send. */
export function bodyOf({ message, body }: Outgoing): string | Uint8Array | undefined {
  return body ?? (message === undefined ? undefined : JSON.stringify(message));
}

/** What a recording keeps of something that was sent. */
export function sentOf(outgoing: Outgoing, http?: Sent["http"]): Sent {
  const body = bodyOf(outgoing) ?? "";
  const text = typeof body === "string" ? body : new TextDecoder().decode(body.subarray(0, LIMITS.sentText * 4));
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  return {
    ...(outgoing.message === undefined || bytes > MAX_KEPT_MESSAGE ? {} : { message: outgoing.message }),
    text: text.slice(0, LIMITS.sentText),
    bytes,
    ...(http === undefined ? {} : { http }),
  };
}

/** Messages over this size are kept as the beginning of their text only. */
const MAX_KEPT_MESSAGE = 32_768;
