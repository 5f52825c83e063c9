import { type IncomingHttpHeaders, Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { type RawOutcome, type RawResponse, sendRaw } from "@recourse/core/node";
import type { JsonObject } from "@recourse/core/wire";
import { parseBounded } from "../recording/parse.ts";
import type { HttpPart, RecordedAnswer } from "../recording/recording.ts";
import { PROBE_LIMITS } from "./limits.ts";
import { answersId, answersNobody, isResponse, isServerRequest, type MessageId, messagesIn } from "./messages.ts";

/** One HTTP request, sent as it is. */
export interface ProbeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The id that the answer has to have. An error without an id is an answer too. */
  readonly id?: MessageId | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Keeps the connection for the next request. @default a connection of its own */
  readonly connection?: Connection | undefined;
  /** Whether the beginning of a stream is enough. @default false */
  readonly onlyOpens?: boolean | undefined;
  /** How long to listen on after the answer in a stream, in milliseconds: another may follow. @default not at all */
  readonly lingerMs?: number | undefined;
  /** Called with requests of the server in the stream. */
  readonly onServerRequest?: ((message: JsonObject) => void) | undefined;
}

/** A connection that several requests share. */
export interface Connection {
  readonly agent: PlainAgent;
  close(): void;
}

/** Opens a connection lazily: the first request dials, the next one finds it open. */
export function keepConnection(url: URL): Connection {
  const agent = new (url.protocol === "https:" ? TlsAgent : PlainAgent)({ keepAlive: true, maxSockets: 1 });
  return { agent, close: () => agent.destroy() };
}

/** An answer, how often it came, and the code of the system if there was none. */
type ProbeAnswer = RecordedAnswer & { readonly code?: string; readonly copies?: number };

/** Sends a request without following redirects and tells what came back. It never rejects. */
export async function sendHttp(options: ProbeRequest): Promise<ProbeAnswer> {
  const {
    url,
    method,
    body,
    id,
    timeoutMs,
    now,
    connection,
    onlyOpens = false,
    lingerMs = 0,
    onServerRequest,
  } = options;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const strays: JsonObject[] = [];
  let found: JsonObject | undefined;
  let copies = 0;
  const lingered = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const answers = (message: JsonObject): boolean =>
    (id !== undefined && answersId(message, id)) || answersNobody(message);
  const outcome = await sendRaw({
    url,
    method,
    headers: {
      host: url.host,
      ...(bytes === undefined ? {} : { "content-length": String(bytes.length) }),
      ...options.headers,
    },
    body: bytes,
    timeoutMs,
    signal: AbortSignal.any([options.signal, lingered.signal]),
    now,
    agent: connection?.agent,
    maxBytes: PROBE_LIMITS.answerBytes,
    maxStreamText: PROBE_LIMITS.answerText,
    isEnough: () => onlyOpens || (found !== undefined && lingerMs === 0),
    onEvent(data) {
      for (const message of messagesIn(parseBounded(data))) {
        if (answers(message)) {
          found ??= message;
          copies += 1;
          if (lingerMs > 0) timer ??= setTimeout(() => lingered.abort(), lingerMs);
          continue;
        }
        if (isServerRequest(message)) onServerRequest?.(message);
        else if (isResponse(message) && strays.length < PROBE_LIMITS.strays) strays.push(message);
      }
    },
  });
  clearTimeout(timer);
  const { how, ms, response, error } = outcome;
  if (how === "unsendable")
    return { kind: "inconclusive", ms, because: `The request could not be sent: ${String(error)}` };
  if (how === "aborted" && found === undefined) return { kind: "inconclusive", ms, because: "You ended the probe." };
  if (how === "late" && found === undefined) return { kind: "silent", ms, strays };
  if (error !== undefined || response === undefined) return brokenAnswer(outcome, bytes?.length ?? 0);
  const { isStream, text } = response;
  const [message, ...others] = isStream ? [found] : messagesIn(parseBounded(text)).filter(answers);
  const content = { text: text.slice(0, PROBE_LIMITS.answerText), bytes: response.bytes, http: httpPart(response), ms };
  if (message === undefined) return { kind: "body", ...content };
  const count = Math.max(copies, others.length + 1);
  return { kind: "message", message, ...content, ...(count > 1 && { copies: count }) };
}

/** A connection that broke. A long body may have been refused before it was sent. */
function brokenAnswer({ ms, error }: RawOutcome, bodyBytes: number): ProbeAnswer {
  const code = error?.code ?? "";
  const wasSending = bodyBytes > 65_536 && /^(?:EPIPE|ECONNRESET|ECONNABORTED)$/.test(code);
  if (!wasSending) return { kind: "closed", ms, code };
  return { kind: "inconclusive", ms, because: `The connection broke while a long body was sent (${code}).`, code };
}

function httpPart({ status, headers, isStream }: RawResponse): HttpPart {
  return { status, headers: flatHeaders(headers), streamed: isStream };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  return flat;
}
