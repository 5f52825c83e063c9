// A caller of the older era that reads the stream of its call message by message, and answers when the test says so.
import { onTestFinished } from "vitest";
import { ACME } from "../idempotency/support/replicas.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { post, type RawAnswer } from "../support/post.ts";

/** A message on the stream of a call. */
export interface StreamMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a caller declares and shows. */
export interface CallerOptions {
  /** @default all that a caller can be asked */
  readonly capabilities?: object;
  /** @default the tenant acme */
  readonly credential?: string;
}

/** All that a caller can be asked. */
export const ALL_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

/** Opens a session, and gives the headers of all further requests. */
export async function openSession(url: URL, options: CallerOptions = {}): Promise<Record<string, string>> {
  const { capabilities = ALL_CAPABILITIES, credential = ACME } = options;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${credential}`,
  };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "raw", version: "1" } };
  const answer = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }), headers);
  const session = answer.headers["mcp-session-id"];
  if (typeof session !== "string") throw new Error(`no session: ${answer.text}`);
  return { ...headers, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
}

/** A call of a tool. */
export interface StreamCall {
  readonly tool?: string;
  /** The arguments as JSON. @default "{}" */
  readonly args?: string;
  /** The idempotency key. @default none */
  readonly key?: string;
  readonly id?: string;
  /** Further headers. */
  readonly headers?: Record<string, string>;
}

/** A call under way. */
export interface OpenCall {
  /** The next message on its stream; undefined where it has ended. */
  next(): Promise<StreamMessage | undefined>;
  /** The same as the text that came. */
  nextText(): Promise<string | undefined>;
  /** The caller goes away. */
  leave(): void;
  /** The id of the last event that had one. */
  lastEventId(): string | undefined;
  readonly status: number;
}

/** Calls a tool, and reads its stream. */
export async function callOnStream(
  url: URL,
  session: Record<string, string>,
  call: StreamCall = {},
): Promise<OpenCall> {
  const { tool = "up__pay", args = "{}", key, id = "1", headers } = call;
  const meta = key === undefined ? "" : `,"_meta":{"recourse/call":{"key":${JSON.stringify(key)}}}`;
  const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${args}${meta}}}`;
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const init = { method: "POST", headers: { ...session, ...headers }, body, signal: left.signal };
  const response = await ownFetch()(url, init);
  const isStream = response.headers.get("content-type") === "text/event-stream";
  let lastId: string | undefined;
  const onId = (found: string) => {
    lastId = found;
  };
  const texts = isStream ? streamTexts(response, onId) : wholeText(response);
  const nextText = async () => (await texts.next()).value ?? undefined;
  return {
    status: response.status,
    nextText,
    async next() {
      const text = await nextText();
      return text === undefined ? undefined : (JSON.parse(text) as StreamMessage);
    },
    leave: () => left.abort(),
    lastEventId: () => lastId,
  };
}

async function* wholeText(response: Response): AsyncGenerator<string, undefined> {
  yield await response.text();
  return undefined;
}

async function* streamTexts(response: Response, onId: (id: string) => void): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
      const eventId = /^id: (.*)$/m.exec(rest.slice(0, end))?.[1];
      if (eventId !== undefined) onId(eventId);
      rest = rest.slice(end + 2);
      if (data !== undefined) yield data;
    }
  }
  return undefined;
}

/** Answers a question; `member` is the text of `"result":…` or `"error":…`. */
export function answerQuestion(
  url: URL,
  session: Record<string, string>,
  id: unknown,
  member = '"result":{"action":"accept","content":{"city":"Rome"}}',
): Promise<RawAnswer> {
  return post(url, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${member}}`, session);
}
