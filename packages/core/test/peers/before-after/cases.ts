// Every way in which a client meets a failure, and what a guarded server must answer.

import { readFileSync } from "node:fs";
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

/** A line of `cases.jsonl`: what is asked for, and the answer in every era or in some. */
interface Row {
  readonly name: string;
  readonly call?: string;
  readonly args?: Record<string, unknown>;
  readonly resource?: string;
  readonly prompt?: string;
  readonly method?: string;
  readonly params?: object;
  readonly expects: Expected | Case["expects"];
}

const inEveryEra = (expected: Expected): Case["expects"] => Object.fromEntries(ERAS.map((era) => [era, expected]));

function askOf({ call, args, resource, prompt, method = "", params }: Row): Case["ask"] {
  if (call !== undefined) return (client) => client.callTool({ name: call, arguments: args ?? {} });
  if (resource !== undefined) return (client) => client.readResource({ uri: resource });
  if (prompt !== undefined) return (client) => client.getPrompt({ name: prompt });
  return (client) => client.request({ method, ...(params !== undefined && { params }) }, z.looseObject({}));
}

function readCase(line: string): Case {
  const row = JSON.parse(line.replaceAll("$SECRET", FAILING_SECRET)) as Row;
  const { name, expects } = row;
  return {
    name,
    ask: askOf(row),
    expects: "reason" in expects || "verdict" in expects ? inEveryEra(expects) : expects,
  };
}

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

const lines = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

export const CASES: readonly Case[] = [
  ...Object.entries(TOOL_REASONS).map(([name, reason]) => ({
    name,
    ask: (client: AnyClient) => client.callTool({ name: registeredName(name), arguments: {} }),
    expects: inEveryEra({ reason }),
    mayHang: MAY_HANG.includes(name),
  })),
  ...Object.keys(FAILING_RESOURCES).map((name) => ({
    name,
    ask: (client: AnyClient) => client.readResource({ uri: `res://${registeredName(name)}` }),
    expects: inEveryEra({ reason: "core/internal", code: -32603 }),
    mayHang: MAY_HANG.includes(name),
  })),
  ...lines.map(readCase),
];
