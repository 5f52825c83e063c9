import type {
  CallToolResult as CallToolResultV2,
  Client as ClientV2,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { expectTypeOf, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import type { RecourseClient } from "./recourse.ts";
import type { ClientLike, ResultOf } from "./types.ts";

test("the clients of both versions fit, and their results keep their types", () => {
  expectTypeOf<ClientV1>().toExtend<ClientLike>();
  expectTypeOf<ClientV2>().toExtend<ClientLike>();
  expectTypeOf<ResultOf<ClientV2, "callTool">>().toEqualTypeOf<CallToolResultV2>();
  expectTypeOf<ResultOf<ClientV2, "readResource">>().toEqualTypeOf<ReadResourceResult>();
  expectTypeOf<ResultOf<ClientV2, "getPrompt">>().toEqualTypeOf<GetPromptResult>();
  expectTypeOf<ResultOf<ClientV1, "callTool">>().toEqualTypeOf<Awaited<ReturnType<ClientV1["callTool"]>>>();
  expectTypeOf<RecourseClient<ClientV2>["call"]>().returns.toEqualTypeOf<Promise<Outcome<CallToolResultV2>>>();
});

test("an outcome is told apart by one member", () => {
  const seen = (outcome: Outcome<{ readonly n: number }>) => {
    if (outcome.ok === true) expectTypeOf(outcome.result.n).toBeNumber();
    if (outcome.ok === false) expectTypeOf(outcome.fault.reason).toBeString();
    if (outcome.ok === "input_required") expectTypeOf(outcome.result).toBeUnknown();
  };
  expectTypeOf(seen).returns.toBeVoid();
});
