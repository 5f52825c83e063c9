// Clients that drop members which the protocol does not know, as version 2 of the official Python client does, still get the
// code of a failure that a guarded server writes.

import type { McpServer } from "@modelcontextprotocol/server";
import { type FaultError, fail } from "@recourse/core";
import { closient, onx } from "@recourse/core/dialects";
import { core } from "@recourse/core/reasons";
import { guard } from "@recourse/core/server";
import { connectPair, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import * as z from "zod";

type Result = Readonly<Record<string, unknown>>;

/** The members that the protocol gives to the result of a tool. */
const KNOWN = ["content", "structuredContent", "isError", "_meta", "resultType"];

function keptOf(result: Result): Result {
  return Object.fromEntries(Object.entries(result).filter(([name]) => KNOWN.includes(name)));
}

const DIALECTS = {
  closient,
  onx,
  "closient with an own code": closient.with({ codes: { "-32250": core.conflict } }),
  "onx with an own code": onx.with({ codes: { "3500": core.conflict } }),
} as const;
const FAILURES: Readonly<Record<string, () => FaultError>> = {
  missing: () => core.not_found(),
  late: () => core.timeout(),
  taken: () => core.conflict({}, { effect: "applied" }),
  limited: () => fail.rate_limited({ retry: { allowed: true, afterMs: 7_000 } })`Slow down.`,
};

/** Calls a tool of a guarded server. Tools named `promised` have an output schema. */
async function call(era: Era, dialect: keyof typeof DIALECTS, tool: string, args: object = {}): Promise<Result> {
  const pair = await connectPair(era, (made) => {
    const server = guard(made as unknown as McpServer, { dialect: DIALECTS[dialect], sink: () => {} });
    for (const [name, make] of Object.entries(FAILURES)) server.registerTool(name, {}, () => Promise.reject(make()));
    server.registerTool("typed", { inputSchema: z.object({ n: z.number() }) }, () => ({ content: [] }));
    const outputSchema = z.object({ n: z.number() });
    server.registerTool("promised", { outputSchema }, () => Promise.reject(core.not_found()));
    return server as never;
  });
  const result = (await pair.client.callTool({ name: tool, arguments: args } as never)) as Result;
  await pair.close();
  return result;
}

describe.each(ERAS)("over %s", (era) => {
  test.each(Object.keys(DIALECTS) as (keyof typeof DIALECTS)[])(
    "the error object of %s stands in structuredContent too",
    async (name) => {
      for (const tool of [...Object.keys(FAILURES), "typed", "nowhere"]) {
        const result = await call(era, name, tool);
        expect(result["structuredContent"], tool).toEqual({ error: result["error"] });
        const whole = DIALECTS[name].decode(result);
        expect(whole, tool).toBeDefined();
        expect(DIALECTS[name].decode(keptOf(result)), tool).toEqual(whole);
      }
    },
  );
});

test.each(["closient", "onx"] as const)("%s: a schema for the data of a result is not broken", async (name) => {
  const result = await call("v2 modern", name, "promised");
  expect(result["error"]).toBeDefined();
  expect(result).not.toHaveProperty("structuredContent");
});
