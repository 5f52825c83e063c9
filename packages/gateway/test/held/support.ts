// Callers of the newer era that are asked by answers, as they write their requests themselves.
import { type Fault, readFault } from "@recourse/core";
import { eventually } from "@recourse/test-kit/eventually";
import { recordingObserver } from "../catalog/support/calls.ts";
import { ACME } from "../idempotency/support/replicas.ts";
import { holdTime } from "../support/held-time.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { modernHeaders, post, type RawAnswer } from "../support/post.ts";

/** A call that may be asked. */
export interface HeldRequest {
  /** @default "ask" */
  readonly tool?: string;
  /** The URI of a resource that is read instead of calling a tool. */
  readonly uri?: string;
  /** The arguments as JSON. @default "{}" */
  readonly args?: string;
  /** The idempotency key. @default none */
  readonly key?: string | undefined;
  /** @default the tenant acme */
  readonly credential?: string;
  readonly state?: string;
  /** The answers as JSON. */
  readonly responses?: string;
  /** @default all that a caller can be asked */
  readonly capabilities?: object;
  readonly id?: number;
  readonly deadlineMs?: number;
  readonly progressToken?: string;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };

let lastId = 0;

/** Calls a tool. */
export async function call(url: URL, request: HeldRequest = {}): Promise<RawAnswer> {
  const { tool = "ask", args = "{}", key, credential = ACME, state, responses, capabilities = ALL } = request;
  lastId += 1;
  const { uri } = request;
  const name = uri ?? `up__${tool}`;
  const method = uri === undefined ? "tools/call" : "resources/read";
  const { deadlineMs, progressToken, signal, id = lastId } = request;
  const about = { ...(key !== undefined && { key }), ...(deadlineMs !== undefined && { deadlineMs }) };
  const meta = JSON.stringify({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    ...(Object.keys(about).length > 0 && { "recourse/call": about }),
    ...(progressToken !== undefined && { progressToken }),
  });
  const more = [
    ...(responses === undefined ? [] : [`"inputResponses":${responses}`]),
    ...(state === undefined ? [] : [`"requestState":${JSON.stringify(state)}`]),
  ];
  const target = uri === undefined ? [`"name":"${name}"`, `"arguments":${args}`] : [`"uri":"${uri}"`];
  const params = [...target, `"_meta":${meta}`, ...more].join();
  const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}}}`;
  const headers = { ...modernHeaders(method, name), authorization: `Bearer ${credential}` };
  if (signal === undefined) return post(url, body, headers);
  const response = await ownFetch()(url, { method: "POST", headers, body, signal });
  const text = await response.text();
  return { status: response.status, headers: {}, text, json: () => JSON.parse(text) as ReturnType<RawAnswer["json"]> };
}

/** What an answer asks. */
export interface Asked {
  readonly state: string;
  readonly requests: Readonly<Record<string, { readonly method: string; readonly params: Record<string, unknown> }>>;
}

/** The JSON-RPC response in an answer, whether or not it is a stream. */
export function responseIn(answer: RawAnswer): ReturnType<RawAnswer["json"]> {
  const last = answer.text
    .match(/^data: .*$/gm)
    ?.at(-1)
    ?.slice("data: ".length);
  return JSON.parse(last ?? answer.text) as ReturnType<RawAnswer["json"]>;
}

/** The notifications in an answer that is a stream. */
export function notificationsIn(answer: RawAnswer): { method: string; params: Record<string, unknown> }[] {
  const lines = answer.text.match(/^data: .*$/gm)?.slice(0, -1) ?? [];
  return lines.map(
    (line) => JSON.parse(line.slice("data: ".length)) as { method: string; params: Record<string, unknown> },
  );
}

/** What an answer asks; it throws where it asks nothing. */
export function askedIn(answer: RawAnswer): Asked {
  const { result } = responseIn(answer) as {
    result?: { resultType?: string; inputRequests?: Asked["requests"]; requestState?: string };
  };
  if (result?.resultType !== "input_required" || result.requestState === undefined) {
    throw new Error(`nothing is asked: ${answer.text}`);
  }
  return { state: result.requestState, requests: result.inputRequests ?? {} };
}

/** The text of a tool's result. */
export function textIn(answer: RawAnswer): string {
  const { result } = responseIn(answer) as { result?: { content?: readonly { text: string }[] } };
  return result?.content?.[0]?.text ?? `no text: ${answer.text}`;
}

/** The fault in a result or an error. */
export function faultOf(answer: RawAnswer): Partial<Fault> {
  const { result, error } = responseIn(answer) as {
    result?: { _meta?: Record<string, unknown> };
    error?: { data?: Record<string, unknown> };
  };
  return readFault(result?._meta?.["recourse/fault"] ?? error?.data?.["recourse/fault"]) ?? {};
}

export const ROME = '{"action":"accept","content":{"city":"Rome"}}';

/** Waits until something is so. */
export function until(is: () => boolean): Promise<void> {
  return eventually(() => {
    if (!is()) throw new Error(`it never became so: ${is}`);
  });
}

/** Counts the calls that a gateway has ended, those that go on with a held one among them. */
export function countEnded() {
  let count = 0;
  const onEnded = () => {
    count += 1;
  };
  return { observer: { ...recordingObserver().observer, ended: onEnded }, ended: () => count };
}

/** Questions are gathered for so long, at least, before they are asked together. */
const GATHERED_MS = 10;

/** Holds time as `holdTime` does, but not the moment in which questions are gathered. */
export function holdAskingTime(): void {
  const { setTimeout: start } = globalThis;
  holdTime();
  const { setTimeout: hold } = globalThis;
  const setEither = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    (ms > GATHERED_MS ? hold : start)(run, ms, ...args);
  globalThis.setTimeout = setEither as typeof setTimeout;
}
