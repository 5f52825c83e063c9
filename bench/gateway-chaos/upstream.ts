// An upstream whose tool has an effect: a line in a ledger that is on disk before the answer leaves.
// Usage: node upstream.ts <name> <port> <file of the ledger>
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createPostServer } from "../gateway/post-server.ts";
import type { Fate, UpstreamName } from "./plan.ts";
import { UPSTREAM_TEXT } from "./planted.ts";
import type { Effect } from "./records.ts";

const [, , name = "plain", port = "0", file = ""] = process.argv;
const honoursKeys = (name as UpstreamName) === "honours";
/** Longer than the gateway waits. */
const HANG_MS = 6_000;

/** Keys whose effect was made. They are read back from the ledger, so a restart forgets none. */
const made = new Set<string>();
if (existsSync(file)) {
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { key } = JSON.parse(line) as Effect;
    if (key !== undefined) made.add(key);
  }
}
const ledger = openSync(file, "a");
/** Effects that were asked for since the start: only the first request meets its fate. */
const asked = new Set<string>();

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: {
    readonly arguments?: { readonly effect: string; readonly fate: Fate };
    readonly _meta?: { readonly "recourse/call"?: { readonly key?: string } };
  };
}

const CACHED = { ttlMs: 60_000, cacheScope: "private", resultType: "complete" };
const string = { type: "string" };
const TOOL = {
  name: "pay",
  description: "Pays once.",
  inputSchema: { type: "object", properties: { effect: string, fate: string }, required: ["effect", "fate"] },
};
const CAPABILITIES = { tools: {}, extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: honoursKeys } } };
const RESULTS: Readonly<Record<string, object>> = {
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    serverInfo: { name, version: "1.0.0" },
    capabilities: CAPABILITIES,
    ...CACHED,
  },
  "tools/list": { tools: [TOOL], ...CACHED },
};
const text = (value: string, more: object = {}) => ({
  result: { resultType: "complete", content: [{ type: "text", text: value }], ...more },
});

/** What one request can do. */
interface Exchange {
  readonly effect: () => void;
  readonly answer: (outcome: object) => void;
  readonly refuse: (status: number, headers?: Readonly<Record<string, string>>) => void;
  readonly lose: () => void;
}

const FATE_OF: Readonly<Record<Fate, (exchange: Exchange) => void>> = {
  ok: ({ effect, answer }) => {
    effect();
    answer(text("paid"));
  },
  slow: ({ effect, answer }) => {
    setTimeout(effect, 300);
    setTimeout(() => answer(text("paid")), 600);
  },
  "lost after": ({ effect, lose }) => {
    effect();
    lose();
  },
  "lost before": ({ lose }) => lose(),
  "500 after": ({ effect, refuse }) => {
    effect();
    refuse(500);
  },
  "503 before": ({ refuse }) => refuse(503),
  "429 before": ({ refuse }) => refuse(429, { "retry-after": "1" }),
  "failed before": ({ answer }) => answer(text(UPSTREAM_TEXT, { isError: true })),
  "hangs after": ({ effect, answer }) => {
    effect();
    setTimeout(() => answer(text("paid")), HANG_MS);
  },
};

/** Makes the effect: at most once for a key where keys are honoured. */
function pay(id: string, key: string | undefined): void {
  if (honoursKeys && key !== undefined) {
    if (made.has(key)) return;
    made.add(key);
  }
  const line: Effect = { id, key, atMs: Date.now(), upstream: name as UpstreamName };
  writeSync(ledger, `${JSON.stringify(line)}\n`);
  fsyncSync(ledger);
}

function call({ params }: Message, response: ServerResponse, answer: (outcome: object) => void): void {
  const { effect = "", fate = "ok" } = params?.arguments ?? {};
  const key = params?._meta?.["recourse/call"]?.key;
  const isKnown = honoursKeys && key !== undefined && made.has(key);
  const isFirst = !asked.has(effect);
  asked.add(effect);
  FATE_OF[isKnown || !isFirst ? "ok" : fate]({
    effect: () => pay(effect, key),
    answer,
    refuse: (status, headers = {}) =>
      void response.writeHead(status, { "content-type": "text/plain", ...headers }).end(UPSTREAM_TEXT),
    lose: () => void response.socket?.destroy(),
  });
}

const server = createPostServer({ keepAliveTimeout: 5_000 }, (sent, response) => {
  const message = JSON.parse(sent) as Message;
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const answer = (outcome: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, ...outcome });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  };
  const result = RESULTS[message.method];
  if (message.method === "tools/call") call(message, response, answer);
  else if (result !== undefined) answer({ result });
  else answer({ error: { code: -32_601, message: "Method not found" } });
});
server.listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
process.on("disconnect", () => {
  closeSync(ledger);
  process.exit(0);
});
