import { type Fault, readFault } from "@recourse/core";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../../support/post.ts";
import { ACME } from "./replicas.ts";

/** A call of a tool. */
export interface KeyedCall {
  /** @default the tenant acme */
  readonly credential?: string | undefined;
  /** The key as JSON; undefined for a call without one. */
  readonly key?: string | undefined;
  /** The arguments as JSON. @default "{}" */
  readonly args?: string;
  readonly id?: string;
  /** @default "up__echo" */
  readonly tool?: string;
  readonly deadlineMs?: number;
}

/** The body of a call, of the newer era unless it has no headers for it. */
export function bodyOf(call: KeyedCall, meta = `${MODERN_META},`): string {
  const { key, args = "{}", id = "1", tool = "up__echo", deadlineMs } = call;
  const facts = [
    ...(key === undefined ? [] : [`"key":${key}`]),
    ...(deadlineMs === undefined ? [] : [`"deadlineMs":${deadlineMs}`]),
  ];
  const params = `{"name":"${tool}","arguments":${args},"_meta":{${meta}"recourse/call":{${facts.join()}}}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
}

/** Calls as a client of the newer era. */
export function callKeyed(url: URL, call: KeyedCall = {}): Promise<RawAnswer> {
  return post(url, bodyOf(call), headersOf(call));
}

/** Calls as a client of the older era. */
export function callOlder(url: URL, call: KeyedCall = {}): Promise<RawAnswer> {
  const { authorization = "" } = headersOf(call);
  return post(url, bodyOf(call, ""), {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    authorization,
  });
}

export function headersOf({ credential = ACME, tool = "up__echo" }: KeyedCall = {}): Record<string, string> {
  return { ...modernHeaders("tools/call", tool), authorization: `Bearer ${credential}` };
}

/** The fault in an answer. */
export function faultIn(answer: RawAnswer): Fault {
  const { result, error } = answer.json() as {
    readonly result?: { readonly _meta?: Record<string, unknown> };
    readonly error?: { readonly data?: Record<string, unknown> };
  };
  const fault = readFault(result?._meta?.["recourse/fault"] ?? error?.data?.["recourse/fault"]);
  if (fault === undefined) throw new Error(`not a failure: ${answer.text.slice(0, 500)}`);
  return fault;
}

/** The key that a request to the upstream carries. */
export function keyIn(text: string): unknown {
  const { params } = JSON.parse(text) as { readonly params: { readonly _meta: Record<string, { key?: unknown }> } };
  return params._meta["recourse/call"]?.key;
}
