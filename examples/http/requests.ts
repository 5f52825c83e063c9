// The requests that every example has to answer alike, over real HTTP.
import { type IncomingHttpHeaders, request } from "node:http";

export const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
export const known = { ...json, authorization: "Bearer secret-of-ada" };

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly reason: unknown;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request. Unlike `fetch` it can name any host. */
export function send(url: URL, { method = "POST", headers = known, body = "" }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) } });
    sent.on("response", async (received) => {
      let text = "";
      for await (const chunk of received) text += String(chunk);
      resolve({ status: received.statusCode ?? 0, headers: received.headers, text, reason: reasonOf(text) });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function reasonOf(text: string): unknown {
  try {
    const { error } = JSON.parse(text) as { error?: { data?: Record<string, { reason?: unknown }> } };
    return error?.data?.["recourse/fault"]?.reason;
  } catch {
    return undefined;
  }
}

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** What is wrong with a request, and how it has to be answered. */
export const REFUSED: readonly (Sent & { readonly what: string; readonly status: number; readonly reason: string })[] =
  [
    { what: "no credential", headers: json, body: list, status: 401, reason: "auth/unauthorized" },
    {
      what: "a wrong credential",
      headers: { ...json, authorization: "Bearer guessed" },
      body: list,
      status: 401,
      reason: "auth/unauthorized",
    },
    {
      what: "a foreign Host",
      headers: { ...known, host: "evil.example" },
      body: list,
      status: 403,
      reason: "auth/access_denied",
    },
    {
      what: "a Host with a user",
      headers: { ...known, host: "evil@localhost" },
      body: list,
      status: 403,
      reason: "auth/access_denied",
    },
    {
      what: "a foreign Origin",
      headers: { ...known, origin: "https://evil.example" },
      body: list,
      status: 403,
      reason: "auth/access_denied",
    },
    {
      what: "the Origin null",
      headers: { ...known, origin: "null" },
      body: list,
      status: 403,
      reason: "auth/access_denied",
    },
    { what: "broken JSON", body: '{"jsonrpc":"2.0",hunter2', status: 400, reason: "protocol/parse_error" },
    { what: "no body", body: "", status: 400, reason: "protocol/parse_error" },
    { what: "a body that is too large", body: "x".repeat(4_200_000), status: 413, reason: "content/message_too_large" },
    {
      what: "a wrong content type",
      headers: { ...known, "content-type": "application/xml" },
      body: "<a/>",
      status: 415,
      reason: "content/invalid_type",
    },
    {
      what: "a form",
      headers: { ...known, "content-type": "application/x-www-form-urlencoded" },
      body: "jsonrpc=2.0&method=tools%2Flist&id=1",
      status: 415,
      reason: "content/invalid_type",
    },
    { what: "a wrong method", method: "PUT", body: list, status: 405, reason: "protocol/http_method" },
  ];

/** What no answer may contain. */
export const LEAKS = /<html|<!doctype|<pre>|\bat .*\.(?:js|ts|mjs):\d|node_modules|hunter2|evil|SyntaxError|guessed/i;
