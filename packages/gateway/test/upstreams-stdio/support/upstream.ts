// Upstreams that are processes, and messages to them.
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../../../src/call/upstream.ts";
import {
  createStdioUpstream,
  type StdioUpstreamConfig,
  type StdioUpstreamParts,
} from "../../../src/upstreams/stdio/upstream.ts";
import { stdioUpstream } from "../../support/config.ts";

export const MAX_ANSWER_BYTES = 1_048_576;

export const childAt = (name: string, ...args: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  fileURLToPath(new URL(`./${name}`, import.meta.url)),
  ...args,
];

const opened: Upstream[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

/** An upstream that is closed after the test. */
export function upstreamOf(...given: Parameters<typeof openUpstream>): Upstream {
  const upstream = openUpstream(...given);
  opened.push(upstream);
  return upstream;
}

/** An upstream for several tests. */
export function openUpstream(
  command: readonly [string, ...string[]],
  config: Partial<StdioUpstreamConfig> = {},
  parts: Partial<StdioUpstreamParts> = {},
): Upstream {
  const own = { name: "files", prefix: "files__", foreignText: "hide", timeoutMs: 600_000, maxChildren: 2 } as const;
  const full = stdioUpstream(command, { ...own, ...config });
  const client = { name: "gateway", version: "1.0.0" };
  return createStdioUpstream(full, { maxAnswerBytes: MAX_ANSWER_BYTES, client, ...parts });
}

export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "gateway", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of a tool. */
export function callOf(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  more: Partial<UpstreamRequest> & { readonly meta?: Readonly<Record<string, unknown>> } = {},
): UpstreamRequest {
  const { meta = {}, ...rest } = more;
  return {
    method: "tools/call",
    target: name,
    id: '"caller-7"',
    params: Buffer.from(JSON.stringify({ name, arguments: args, _meta: meta })),
    parsed: undefined,
    session: "acme one",
    caller: { id: "acme", tenant: "acme" },
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    onNotification: () => {},
    ...rest,
  };
}

/** The text of a tool's answer; what failed otherwise. */
export function textOf(reply: UpstreamReply): string {
  if (reply.kind === "failed") return `failed: ${reply.fault.reason}, ${reply.fault.effect}`;
  const message = JSON.parse(reply.body.toString()) as { result?: { content?: { text: string }[] }; error?: unknown };
  return message.result?.content?.[0]?.text ?? JSON.stringify(message.error ?? message.result);
}

/** Calls a tool and gives its text. */
export async function textFrom(upstream: Upstream, ...call: Parameters<typeof callOf>): Promise<string> {
  return textOf(await upstream.send(callOf(...call)));
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
