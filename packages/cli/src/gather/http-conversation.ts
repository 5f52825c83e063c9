import { hasHandshake, memberAt, objectAt, sleep, stringAt } from "@recourse/core/wire";
import { type EraRevision, HIDDEN_IN_RECORDING, type RecordedAnswer } from "../recording/recording.ts";
import { sendHttp } from "../wire/http.ts";
import { PROBE_LIMITS, PROBE_WAITS, type ProbeWaits } from "../wire/limits.ts";
import { CLIENT_INFO, headersFor, replyToServer, type Session } from "../wire/messages.ts";
import {
  PROBE_ENDED,
  type ProbeConversation,
  type ProbeExchange,
  recordSent,
  type StimulusRequest,
  wireBody,
} from "./conversation.ts";

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
export interface HttpConversation extends ProbeConversation {
  readonly transport: "http";
  readonly place: HttpPlace;
  /** The session of the older era, once the server gave one. */
  session(): Session;
  /** Ends the session. */
  close(): Promise<void>;
}

/** The same in every request, so recordings leave them out. */
const ORDINARY_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "user-agent": `${CLIENT_INFO.name}/${CLIENT_INFO.version}`,
};

/** Talks to a server over HTTP in one era. */
export function httpConversation(revision: EraRevision, place: HttpPlace): HttpConversation {
  const { url, signal, now, waits = PROBE_WAITS } = place;
  let session: Session = {};
  let serial = 0;
  let refusedInARow = 0;
  let replies = 0;
  /** Every session that the server gave, also for stimuli: all of them are ended. */
  const sessions = new Set<string>();

  const post = async (outgoing: StimulusRequest): Promise<ProbeExchange> => {
    const method = outgoing.http?.method ?? "POST";
    const wanted: Record<string, string | undefined> = {
      ...ORDINARY_HEADERS,
      ...headersFor(revision, outgoing.message, session),
      ...place.headers,
      ...outgoing.http?.headers,
    };
    const headers = Object.fromEntries(
      Object.entries(wanted).filter((one): one is [string, string] => one[1] !== undefined),
    );
    const { code, copies, ...answer } = (await sendHttp({
      url: outgoing.http?.url ?? url,
      method,
      headers,
      body: method === "GET" || method === "DELETE" ? undefined : wireBody(outgoing),
      id: outgoing.id,
      timeoutMs: outgoing.timeoutMs ?? waits.requestMs,
      signal,
      now,
      connection: outgoing.http?.connection,
      onlyOpens: outgoing.onlyOpens,
      lingerMs: outgoing.lingers === true ? waits.settleMs : undefined,
      onServerRequest(message) {
        replies += 1;
        if (replies <= PROBE_LIMITS.replies) void post({ message: replyToServer(message) });
      },
    })) as RecordedAnswer & { readonly code?: string; readonly copies?: number };
    refusedInARow = code === "ECONNREFUSED" ? refusedInARow + 1 : 0;
    const given = answerSession(answer);
    if (given !== undefined) sessions.add(given);
    const sent = recordSent(outgoing, { method, headers: recordedHeaders(wanted, place.headers) });
    return { sent, answer, later: () => (copies === undefined ? {} : { copies }) };
  };

  return {
    revision,
    transport: "http",
    waits,
    place,
    session: () => session,
    nextId: () => ++serial,
    ended: () => (signal.aborted ? PROBE_ENDED : refusedInARow > 2 ? "The server refuses connections." : undefined),
    async send(outgoing) {
      const done = await patiently(() => post(outgoing), signal);
      const { answer } = done;
      const hidden = { ...done, answer: withoutSession(answer) };
      if (hasHandshake(revision) && answer.kind === "message" && outgoing.message?.["method"] === "initialize") {
        const version = stringAt(objectAt(answer.message, "result"), "protocolVersion");
        // Only the first handshake makes the session; later ones are stimuli.
        if (version !== undefined && session.version === undefined) session = { id: answerSession(answer), version };
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
async function patiently(post: () => Promise<ProbeExchange>, signal: AbortSignal): Promise<ProbeExchange> {
  let done = await post();
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const waitMs = requestedWaitMs(done.answer);
    if (waitMs === undefined) return done;
    await sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return done;
    done = await post();
  }
  return done;
}

/** The headers that a recording keeps: what the user gave and the session may be secrets. */
function recordedHeaders(
  wanted: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value === ORDINARY_HEADERS[name]) continue;
    const isSecret = value !== undefined && (value === given[name] || name === "mcp-session-id");
    kept[name] = isSecret ? HIDDEN_IN_RECORDING : (value ?? "");
  }
  return kept;
}

const SESSION_ID_HEADER = "mcp-session-id";

function answerSession(answer: RecordedAnswer): string | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.http?.headers[SESSION_ID_HEADER] : undefined;
}

/** An answer without what could be used in another's place: the session, and cookies. */
function withoutSession(answer: RecordedAnswer): RecordedAnswer {
  if ((answer.kind !== "message" && answer.kind !== "body") || answer.http === undefined) return answer;
  const headers = { ...answer.http.headers };
  for (const name of [SESSION_ID_HEADER, "set-cookie"])
    if (headers[name] !== undefined) headers[name] = HIDDEN_IN_RECORDING;
  return { ...answer, http: { ...answer.http, headers } };
}

/** A probe does not wait longer than this for a rate. */
const MAX_RATE_WAIT_MS = 5_000;

/**
 * How long a server asks to wait if it refuses a request because of its rate; undefined if it does not, or asks too
 * much.
 */
export function requestedWaitMs(answer: RecordedAnswer): number | undefined {
  if (answer.kind !== "message" && answer.kind !== "body") return undefined;
  const waitMs = headerMs(answer) ?? (answer.kind === "message" ? faultMs(answer.message) : undefined);
  return waitMs === undefined || waitMs > MAX_RATE_WAIT_MS ? undefined : waitMs;
}

function headerMs({ http }: Extract<RecordedAnswer, { readonly kind: "message" | "body" }>): number | undefined {
  const seconds = http?.status === 429 ? http.headers["retry-after"] : undefined;
  return seconds !== undefined && /^\d{1,3}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

const FAULT_MEMBER = "recourse/fault";

function faultMs(message: unknown): number | undefined {
  const data = objectAt(objectAt(message, "error"), "data");
  const meta = objectAt(objectAt(message, "result"), "_meta");
  const fault = memberAt(data, FAULT_MEMBER) ?? memberAt(meta, FAULT_MEMBER);
  const waitMs = stringAt(fault, "kind") === "rate_limited" ? memberAt(objectAt(fault, "retry"), "afterMs") : undefined;
  return typeof waitMs === "number" ? waitMs : undefined;
}
