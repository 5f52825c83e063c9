// One reply of an upstream, judged: a call as the steps before have left it.

import type { Fault } from "@recourse/core";
import { callerAt } from "../../src/auth/callers.ts";
import { Call } from "../../src/call/call.ts";
import type { Upstream, UpstreamReply } from "../../src/call/upstream.ts";
import type { UpstreamOptions } from "../../src/config/types.ts";
import { CredentialCutter } from "../../src/judge/credential-cutter.ts";
import { judge } from "../../src/judge/judge-step.ts";
import { FilterShare } from "../../src/limits/shares.ts";
import { headWith } from "../support/head.ts";

const OPTIONS: UpstreamOptions = {
  name: "shop",
  prefix: "shop__",
  foreignText: "public",
  speaksFaults: false,
  trustAnnotations: false,
  dialect: undefined,
  timeoutMs: 30_000,
  honoursKeys: false,
  credential: { kind: "none" },
};

/** A message to an upstream, and what is known about it. */
export interface Setting {
  readonly options?: Partial<UpstreamOptions>;
  readonly method?: string;
  /** Null for a notification. */
  readonly id?: string | number | null;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly readOnly?: boolean;
  readonly inputSchema?: unknown;
  readonly revision?: "2025-06-18" | "2025-11-25" | "2026-07-28";
  readonly headers?: Readonly<Record<string, string>>;
  /** Names for the caller by names of the upstream, `hidden` for those that it does not see. */
  readonly tools?: Readonly<Record<string, string>>;
}

/** What the step made of a reply. */
export interface Judged {
  readonly fault: Fault | undefined;
  readonly call: Call;
  readonly stale: boolean;
}

/** Judges a reply to a call of the tool `buy`, which callers know as `shop__buy`. */
export function judged(reply: UpstreamReply, setting: Setting = {}): Judged {
  const { method = "tools/call", id = 7, revision = "2026-07-28", headers = {}, tools = {} } = setting;
  const upstream = { options: { ...OPTIONS, ...setting.options } } as Upstream;
  const origin = {
    head: headWith(headers),
  };
  const call = new Call(origin as never, 0);
  const isTool = method === "tools/call";
  const params = setting.params ?? (isTool ? { name: "shop__buy", arguments: {} } : {});
  call.message = { method, id: id ?? undefined, params, meta: undefined, bytes: Buffer.alloc(0), spans: {} as never };
  call.revision = revision;
  const { readOnly = false, inputSchema = {} } = setting;
  const facts = { readOnly, idempotent: false, hasOutputSchema: false, inputSchema, cost: 1 };
  const tool = isTool ? { name: "shop__buy", ...facts } : undefined;
  call.route = { kind: "upstream", upstream, target: isTool ? "buy" : undefined, tool };
  call.reply = reply;
  call.caller = callerAt("127.0.0.1");
  let stale = false;
  const catalog = {
    toolName: (_: Upstream, name: string) => tools[name],
    markStale: () => {
      stale = true;
    },
  };
  const filters = new FilterShare(() => 0);
  const cutter = new CredentialCutter({ observer: { log: () => {} }, now: () => 0 });
  const fault = judge({ catalog, cutter, filters, now: () => Date.UTC(2026, 0, 1) })(call) as Fault | undefined;
  return { fault, call, stale };
}

/** An answer over HTTP. */
export function answer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): UpstreamReply {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { kind: "answer", status, header: (name) => headers[name], body: bytes };
}

/** A JSON-RPC response with a result. */
export function result(value: unknown, id: unknown = 7): UpstreamReply {
  return answer({ jsonrpc: "2.0", id, result: value });
}

/** A JSON-RPC response with an error. */
export function error(code: number, message: string, data?: unknown): UpstreamReply {
  return answer({ jsonrpc: "2.0", id: 7, error: { code, message, ...(data !== undefined && { data }) } });
}

/** A failed result with a fault in it. */
export function stated(fault: unknown): UpstreamReply {
  return result({ isError: true, content: [{ type: "text", text: "It failed." }], _meta: { "recourse/fault": fault } });
}
