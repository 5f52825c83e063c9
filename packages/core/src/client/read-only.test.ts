import { McpServer } from "@modelcontextprotocol/server";
import { connectInMemory } from "@recourse/test-kit/fixtures";
import { expect, test } from "vitest";
import { unavailable } from "../reasons/library/core.ts";
import { guard } from "../server/index.ts";
import type { ClientLike } from "./index.ts";
import { type RecourseOptions, recourse } from "./index.ts";

// The annotations of a trusted server say what a call may have changed, if nothing else does.

const never = () => new Promise<never>(() => {});
const say = (text: string) => async () => ({ content: [{ type: "text" as const, text }], isError: true });

interface Setup {
  readonly run: () => Promise<never> | Promise<object>;
  readonly readOnlyHint?: boolean;
  readonly trusted?: boolean;
  readonly guarded?: boolean;
  /** Whether the host asks for the list before it calls. */
  readonly listed?: boolean;
}

async function callOnce({ run, readOnlyHint = true, trusted = true, guarded = false, listed = true }: Setup) {
  const bare = new McpServer({ name: "s", version: "1" });
  const server = guarded ? guard(bare, { sink: () => {} }) : bare;
  server.registerTool("read", { annotations: { readOnlyHint, idempotentHint: true } }, run as never);
  const client = await connectInMemory(server);
  const options: RecourseOptions = {
    server: { trustAnnotations: trusted },
    timeoutMs: 200,
    retry: { policy: { attempts: 1 } },
  };
  const mcp = recourse<ClientLike>(client as never, options as never);
  if (listed) await mcp.tools();
  const outcome = await mcp.call("read");
  return outcome.ok ? undefined : outcome.fault;
}

test.each([
  ["no answer in time", never, "core/timeout", "retry"],
  ["words from which the failure is guessed", say("No such order"), "core/not_found", "choose_another"],
] as const)("%s: a tool that only reads changed nothing", async (_, run, reason, move) => {
  expect(await callOnce({ run })).toMatchObject({ reason, effect: "none", recourse: [{ do: move }] });
  expect(await callOnce({ run, listed: false })).toMatchObject({ reason, effect: "none", recourse: [{ do: move }] });
  expect(await callOnce({ run, trusted: false })).toMatchObject({ reason, effect: "possible" });
  // A call that may be made twice may still have changed something.
  expect(await callOnce({ run, readOnlyHint: false })).toMatchObject({ reason, effect: "possible" });
});

test("a sentence: a tool that only reads changed nothing", async () => {
  const run = say("It is closed on Mondays.");
  expect(await callOnce({ run })).toMatchObject({ reason: "tool/failed", effect: "none" });
  expect(await callOnce({ run, trusted: false })).toMatchObject({ reason: "tool/failed", effect: "possible" });
});

test("an effect that the server states is not lowered by its annotations", async () => {
  const run = () => Promise.reject(unavailable({}, { effect: "possible" }));
  expect(await callOnce({ run, guarded: true })).toMatchObject({ reason: "core/unavailable", effect: "possible" });
});

test("a resource that could not be read changed nothing, whatever the code of the server", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerResource("r", "a://b", {}, () => Promise.reject(Object.assign(new Error("boom"), { code: -31999 })));
  const client = await connectInMemory(server);
  const outcome = await recourse<ClientLike>(client as never, { policy: { attempts: 1 } } as never).read("a://b");
  expect(outcome).toMatchObject({ ok: false, fault: { reason: "core/unrecognised", effect: "none" } });
});
