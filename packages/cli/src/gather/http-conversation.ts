import { objectAt, sleep, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer } from "../recording/recording.ts";
import type { Revision } from "../recording/revisions.ts";
import { CLIENT_INFO, headersFor, type Session } from "../wire/envelope.ts";
import { sendHttp } from "../wire/http.ts";
import { LIMITS, type ProbeWaits, WAITS } from "../wire/limits.ts";
import { replyToServer } from "../wire/messages.ts";
import { askedToWaitMs } from "./asked-to-wait.ts";
import { ABORTED, bodyOf, type Conversation, type Outgoing, type Sendout, sentOf } from "./conversation.ts";
import { HIDDEN } from "./secrets.ts";

/** What every request to one server has in common. */
export interface HttpPlace {
  readonly url: URL;
  /** Headers that the user gave. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** @default those of a probe */
  readonly waits?: ProbeWaits;
}

/** A conversation over HTTP. Each request has a connection of its own unless it brings one. */
export interface HttpConversation extends Conversation {
  readonly transport: "http";
  readonly place: HttpPlace;
  /** The session of the older era, once the server gave one. */
  session(): Session;
  /** Ends the session. */
  close(): Promise<void>;
}

/** The same in every request, so recordings leave them out. */
const ORDINARY: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "user-agent": `${CLIENT_INFO.name}/${CLIENT_INFO.version}`,
};

/** Talks to a server over HTTP in one era. */
export function httpConversation(revision: Revision, place: HttpPlace): HttpConversation {
  const { url, signal, now, waits = WAITS } = place;
  let session: Session = {};
  let serial = 0;
  let refusedInARow = 0;
  let replies = 0;
  /** Every session that the server gave, also for stimuli: all of them are ended. */
  const sessions = new Set<string>();

  const post = async (outgoing: Outgoing): Promise<Sendout> => {
    const method = outgoing.http?.method ?? "POST";
    const wanted: Record<string, string | undefined> = {
      ...ORDINARY,
      ...headersFor(revision, outgoing.message, session),
      ...place.headers,
      ...outgoing.http?.headers,
    };
    const headers = Object.fromEntries(
      Object.entries(wanted).filter((one): one is [string, string] => one[1] !== undefined),
    );
    const { code, ...answer } = (await sendHttp({
      url: outgoing.http?.url ?? url,
      method,
      headers,
      body: method === "GET" ? undefined : bodyOf(outgoing),
      id: outgoing.id,
      timeoutMs: outgoing.timeoutMs ?? waits.requestMs,
      signal,
      now,
      connection: outgoing.http?.connection,
      onServerRequest(message) {
        replies += 1;
        if (replies <= LIMITS.replies) void post({ message: replyToServer(message) });
      },
    })) as Answer & { readonly code?: string };
    refusedInARow = code === "ECONNREFUSED" ? refusedInARow + 1 : 0;
    const given = sessionOf(answer);
    if (given !== undefined) sessions.add(given);
    return { sent: sentOf(outgoing, { method, headers: keptHeaders(wanted, place.headers) }), answer };
  };

  return {
    revision,
    transport: "http",
    waits,
    place,
    session: () => session,
    nextId: () => ++serial,
    ended: () => (signal.aborted ? ABORTED : refusedInARow > 2 ? "The server refuses connections." : undefined),
    async send(outgoing) {
      const done = await patiently(() => post(outgoing), signal);
      const { answer } = done;
      const hidden = { ...done, answer: withoutSession(answer) };
      if (revision === "2025-11-25" && answer.kind === "message" && outgoing.message?.["method"] === "initialize") {
        const version = stringAt(objectAt(answer.message, "result"), "protocolVersion");
        // Only the first handshake makes the session; later ones are stimuli.
        if (version !== undefined && session.version === undefined) session = { id: sessionOf(answer), version };
      }
      return hidden;
    },
    async close() {
      for (const id of sessions)
        await post({ http: { method: "DELETE", headers: { "mcp-session-id": id } }, timeoutMs: 2_000 });
    },
  };
}

/** How often a request is sent again that was refused because of a rate. */
const MAX_REPEATS = 3;

/** A rate is not what is tried, so the probe waits as long as it is asked to. */
async function patiently(post: () => Promise<Sendout>, signal: AbortSignal): Promise<Sendout> {
  let done = await post();
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const waitMs = askedToWaitMs(done.answer);
    if (waitMs === undefined) return done;
    await sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return done;
    done = await post();
  }
  return done;
}

/** The headers that a recording keeps: what the user gave and the session may be secrets. */
function keptHeaders(
  wanted: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value === ORDINARY[name]) continue;
    const isSecret = value !== undefined && (value === given[name] || name === "mcp-session-id");
    kept[name] = isSecret ? HIDDEN : (value ?? "");
  }
  return kept;
}

const SESSION = "mcp-session-id";

function sessionOf(answer: Answer): string | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.http?.headers[SESSION] : undefined;
}

/** An answer without what could be used in another's place: the session, and cookies. */
function withoutSession(answer: Answer): Answer {
  if ((answer.kind !== "message" && answer.kind !== "body") || answer.http === undefined) return answer;
  const headers = { ...answer.http.headers };
  for (const name of [SESSION, "set-cookie"]) if (headers[name] !== undefined) headers[name] = HIDDEN;
  return { ...answer, http: { ...answer.http, headers } };
}
