// What is sent and answered: 0.6 KB each way.

/** The headers of a call of 2026-07-28, apart from those of HTTP itself. */
export function callHeaders(tool: string): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
}

/** Stands for an idempotency key in a body; the load writes another number in its place for each call. */
const KEY_PLACE = "number-of-a-call";
/** Stands for the number of a caller in an API key. */
const CALLER_PLACE = "caller-of-a-call";
/** A caller may use 10,000 new keys in ten minutes, so calls with a key come from many. */
export const KEYED_CALLERS = 100;

/** The API key of a caller of keyed calls; without a number it has a place for one. */
export function callerKey(caller?: number): string {
  return `rk_bench_${caller === undefined ? CALLER_PLACE : toDigits(caller)}_0000`;
}

/** As many digits as the places have letters. */
function toDigits(number: number): string {
  return String(number).padStart(KEY_PLACE.length, "0");
}

/** Gives a function that writes another key and another caller into requests like this one; they may have no place for it. */
export function numberRequests(like: Buffer): (request: Buffer) => void {
  const keyAt = like.indexOf(KEY_PLACE);
  const callerAt = like.indexOf(CALLER_PLACE);
  let next = Date.now() * 1_000;
  return (request) => {
    if (keyAt < 0) return;
    next += 1;
    request.write(toDigits(next), keyAt, "latin1");
    if (callerAt >= 0) request.write(toDigits(next % KEYED_CALLERS), callerAt, "latin1");
  };
}

/** A call of a tool in the protocol of 2026-07-28. */
export function callBody(tool: string, { isKeyed = false }: { readonly isKeyed?: boolean } = {}): string {
  const _meta = {
    ...(isKeyed && { "recourse/call": { id: "bench", attempt: 1, key: KEY_PLACE } }),
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: { city: "Berlin", text: "in ".repeat(100).trim(), count: 3 }, _meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

/** A call of a tool in a session of 2025-11-25. */
export function sessionCallBody(tool: string): string {
  const params = { name: tool, arguments: { city: "Berlin", text: "in ".repeat(150).trim(), count: 3 } };
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
}

/** The results of the stub, by the last part of the path it is asked at. A tool fails with a sentence, as most do. */
export const RESULTS = {
  ok: { content: [{ type: "text", text: "out ".repeat(120).trim() }], structuredContent: { count: 3, city: "Berlin" } },
  sentence: { content: [{ type: "text", text: "The order 471100 was not found in the warehouse." }], isError: true },
  large: { content: [{ type: "text", text: "a line of text\n".repeat(13_650) }] },
} as const satisfies Record<string, unknown>;

let orders = 100_000;
/** The text of an answer with another number of the order: sentences of tools differ from call to call, and so must be read. */
export function withNextOrder(json: string): string {
  orders = orders === 999_999 ? 100_000 : orders + 1;
  return json.replace("471100", String(orders));
}

const OVERLOADED_BODY = Buffer.from('{"error":"upstream overloaded"}');
/** The answer of the stub at the path `overloaded`, to whatever is called. */
export const OVERLOADED = {
  status: 503,
  headers: { "content-type": "application/json", "content-length": OVERLOADED_BODY.length },
  body: OVERLOADED_BODY,
} as const;

/** The last part of the path that the stub is asked at, which says what it answers. */
export type StubName = keyof typeof RESULTS | "overloaded";

/** The tool that every upstream of the bench offers. */
export const TOOL = {
  name: "echo",
  description: "Answers with some text.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, text: { type: "string" }, count: { type: "integer" } },
    required: ["city"],
  },
} as const;
