// Every way in which a client meets a failure, and what a guarded server must answer.

import {
  FAILING_RESOURCES,
  FAILING_SECRET,
  type FAILING_TOOLS,
  registeredName,
} from "@recourse/test-kit/failing-server";
import { type AnyClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import * as z from "zod";

/** The answer of a guarded server: the reason, and the code if it is a JSON-RPC error instead of a tool result. */
type Expected = { readonly reason: string; readonly code?: number } | { readonly verdict: "ok" };

/** A failure: how a client provokes it, and what it must see. The case does not exist in eras that are not listed. */
export interface Case {
  readonly name: string;
  readonly ask: (client: AnyClient) => Promise<unknown>;
  readonly expects: Partial<Record<Era, Expected>>;
  /** Whether some bare servers never answer. @default false */
  readonly mayHang?: boolean;
}

const inEveryEra = (expected: Expected): Case["expects"] => Object.fromEntries(ERAS.map((era) => [era, expected]));
const everywhere = (reason: string, code?: number): Case["expects"] =>
  inEveryEra({ reason, ...(code !== undefined && { code }) });

const call =
  (name: string, args: Record<string, unknown> = {}) =>
  (client: AnyClient) =>
    client.callTool({ name, arguments: args });

const ask = (method: string, params?: object) => (client: AnyClient) =>
  client.request({ method, ...(params !== undefined && { params }) }, z.looseObject({}));

const complete = (name: string) =>
  ask("completion/complete", { ref: { type: "ref/prompt", name }, argument: { name: "city", value: "x" } });

const TOOL_REASONS = {
  "tool throws an Error": "core/internal",
  "tool throws a string": "core/internal",
  "tool throws null": "core/internal",
  "tool throws an object": "core/internal",
  "tool throws with a cause": "tool/failed",
  "tool throws an AggregateError": "core/internal",
  "tool throws a coded error": "core/internal",
  "tool throws a reason": "core/rate_limited",
  "tool returns undefined": "tool/output_invalid",
  "tool returns a malformed result": "tool/output_invalid",
  "tool returns a BigInt": "tool/result_unsendable",
  "tool returns a cycle": "tool/result_unsendable",
  "tool never ends": "tool/timeout",
} as const satisfies Record<keyof typeof FAILING_TOOLS, string>;

const MAY_HANG = [
  "tool returns undefined",
  "tool returns a BigInt",
  "tool returns a cycle",
  "tool never ends",
  "resource throws null",
];

export const CASES: readonly Case[] = [
  ...Object.entries(TOOL_REASONS).map(([name, reason]) => ({
    name,
    ask: call(registeredName(name)),
    expects: everywhere(reason),
    mayHang: MAY_HANG.includes(name),
  })),
  {
    name: "tool misses a client capability",
    ask: call("wants_sampling"),
    expects: {
      "v2 modern": { reason: "protocol/missing_client_capability", code: -32021 },
      "v2 legacy": { reason: "protocol/missing_client_capability", code: -32602 },
    },
  },
  {
    name: "tool asks for input that the client cannot give",
    ask: call("samples"),
    expects: {
      "v2 modern": { reason: "protocol/missing_client_capability", code: -32021 },
      "v2 legacy": { reason: "protocol/missing_client_capability", code: -32602 },
    },
  },
  {
    name: "tool wants a link opened",
    ask: call("wants_a_visit"),
    expects: {
      "v2 modern": { reason: "elicitation/url_required" },
      "v2 legacy": { reason: "elicitation/url_required", code: -32042 },
      v1: { reason: "elicitation/url_required", code: -32042 },
    },
  },
  {
    name: "wrong arguments",
    ask: call("wants", { n: FAILING_SECRET }),
    expects: everywhere("tool/invalid_arguments"),
  },
  { name: "schema refinement throws", ask: call("refines", { n: 1 }), expects: everywhere("core/internal") },
  { name: "result off its schema", ask: call("off"), expects: everywhere("tool/output_invalid") },
  { name: "unknown tool", ask: call("nowhere"), expects: everywhere("tool/not_found", -32602) },
  { name: "disabled tool", ask: call("disabled"), expects: everywhere("tool/not_found", -32602) },
  { name: "tool named constructor", ask: call("constructor"), expects: everywhere("tool/not_found", -32602) },
  {
    name: "call without a name",
    ask: ask("tools/call", { arguments: {} }),
    expects: everywhere("protocol/malformed_call", -32602),
  },
  {
    name: "arguments are a string",
    ask: ask("tools/call", { name: "wants", arguments: "str" }),
    expects: everywhere("protocol/malformed_call", -32602),
  },
  {
    name: "forged state of an exchange",
    ask: ask("tools/call", { name: "wants", arguments: { n: 1 }, requestState: "forged", inputResponses: {} }),
    expects: {
      "v2 modern": { reason: "protocol/request_state_invalid", code: -32602 },
      "v2 legacy": { reason: "protocol/request_state_invalid", code: -32602 },
    },
  },
  {
    name: "call that must be a task",
    ask: ask("tools/call", { name: "must_be_a_task", arguments: {} }),
    expects: { v1: { reason: "protocol/missing_client_capability", code: -32601 } },
  },
  {
    name: "call that cannot be a task",
    ask: ask("tools/call", { name: "wants", arguments: { n: 1 }, task: { ttl: 1_000 } }),
    expects: { v1: { reason: "protocol/capability_not_supported", code: -32603 } },
  },
  { name: "unknown method", ask: ask("nowhere/to_be_found"), expects: everywhere("protocol/method_not_found", -32601) },
  {
    name: "cursor 12",
    ask: ask("tools/list", { cursor: 12 }),
    expects: everywhere("pagination/invalid_cursor", -32602),
  },
  // The SDK does not page and ignores the cursor; MCP asks for an error.
  {
    name: "unknown cursor",
    ask: ask("tools/list", { cursor: "bogus" }),
    expects: everywhere("pagination/invalid_cursor", -32602),
  },
  ...Object.keys(FAILING_RESOURCES).map((name) => ({
    name,
    ask: (client: AnyClient) => client.readResource({ uri: `res://${registeredName(name)}` }),
    expects: everywhere("core/internal", -32603),
    mayHang: MAY_HANG.includes(name),
  })),
  {
    name: "resource template throws",
    ask: (client) => client.readResource({ uri: "item://7" }),
    expects: everywhere("core/internal", -32603),
  },
  {
    name: "unknown resource",
    ask: (client) => client.readResource({ uri: "res://nowhere" }),
    expects: {
      "v2 modern": { reason: "resource/not_found", code: -32602 },
      "v2 legacy": { reason: "resource/not_found", code: -32002 },
      v1: { reason: "resource/not_found", code: -32002 },
    },
  },
  {
    name: "bad URI",
    ask: (client) => client.readResource({ uri: "not a uri" }),
    expects: everywhere("resource/invalid_uri", -32602),
  },
  {
    name: "prompt throws",
    ask: (client) => client.getPrompt({ name: "throws" }),
    expects: everywhere("core/internal", -32603),
  },
  {
    name: "prompt refuses on purpose",
    ask: (client) => client.getPrompt({ name: "refuses" }),
    expects: everywhere("protocol/invalid_params", -32602),
  },
  {
    name: "unknown prompt",
    ask: (client) => client.getPrompt({ name: "nowhere" }),
    expects: everywhere("prompt/not_found", -32602),
  },
  {
    name: "prompt without its argument",
    ask: (client) => client.getPrompt({ name: "needs" }),
    expects: everywhere("prompt/argument_missing", -32602),
  },
  { name: "completion throws", ask: complete("completes"), expects: everywhere("core/internal", -32603) },
  {
    name: "completion of an unknown prompt",
    ask: complete("nowhere"),
    expects: everywhere("completion/not_found", -32602),
  },
  {
    name: "completion of an invalid reference",
    ask: ask("completion/complete", { ref: { type: "ref/tool", name: "x" }, argument: { name: "city", value: "x" } }),
    expects: everywhere("completion/invalid_reference", -32602),
  },
  {
    name: "unknown task",
    ask: ask("tasks/get", { taskId: "nowhere" }),
    expects: { v1: { reason: "task/not_found", code: -32602 } },
  },
];
