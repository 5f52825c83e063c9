// Upstreams for the tests, and messages to them.

import type { Upstream, UpstreamReply, UpstreamRequest } from "../../../src/call/upstream.ts";
import { FairPool } from "../../../src/limits/fair-pool.ts";
import {
  createHttpUpstream,
  type HttpUpstreamConfig,
  type HttpUpstreamParts,
} from "../../../src/upstreams/http/upstream.ts";

export const MAX_ANSWER_BYTES = 1_048_576;

export function upstreamAt(
  url: string,
  config: Partial<HttpUpstreamConfig> = {},
  parts: Partial<HttpUpstreamParts> = {},
): Upstream {
  const full: HttpUpstreamConfig = {
    kind: "http",
    name: "shop",
    prefix: "shop__",
    foreignText: "hide",
    speaksFaults: false,
    trustAnnotations: false,
    dialect: undefined,
    timeoutMs: 600_000,
    honoursKeys: false,
    credential: { kind: "none" },
    url,
    era: "auto",
    ...config,
  };
  const client = { name: "gateway", version: "1.0.0" };
  return createHttpUpstream(full, {
    maxAnswerBytes: MAX_ANSWER_BYTES,
    memory: new FairPool({ capacity: 16 * MAX_ANSWER_BYTES, least: MAX_ANSWER_BYTES }),
    client,
    sessions: undefined,
    onNegotiated: () => {},
    ...parts,
  });
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "gateway", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of a tool, with its arguments as JSON. */
export function callOf(name: string, args = "{}", more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: "tools/call",
    target: name,
    id: "7",
    params: Buffer.from(`{"name":${JSON.stringify(name)},"arguments":${args},"_meta":${JSON.stringify(META)}}`),
    parsed: undefined,
    session: "acme one",
    caller: { id: "acme", tenant: "acme" },
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    onNotification: () => {},
    ...more,
  };
}

/** The body of a reply, as text; what failed otherwise. */
export function textOf(reply: UpstreamReply): string {
  return reply.kind === "answer" ? reply.body.toString() : `failed: ${reply.fault.reason}, ${reply.fault.effect}`;
}
