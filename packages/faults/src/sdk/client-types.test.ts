import type {
  CallToolResult as CallToolResultV2,
  Client as ClientV2,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { expectTypeOf, test } from "vitest";
import type { InputRequired, Outcome } from "../client/outcome.ts";
import { type RecourseClient, recourse } from "../client/recourse.ts";
import type { ClientLike, ResultOf } from "./client-types.ts";

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
    if (!outcome.ok) return expectTypeOf(outcome.fault.reason).toBeString();
    return expectTypeOf(outcome.result.n).toBeNumber();
  };
  expectTypeOf(seen).toBeFunction();
});

test("the third form exists only on a client that returns requests for input", () => {
  const plain = () => recourse({} as ClientV2).call("x");
  const returning = () => recourse({} as ClientV2, { inputRequired: "return" }).call("x");
  expectTypeOf(plain).returns.resolves.toEqualTypeOf<Outcome<CallToolResultV2>>();
  expectTypeOf(returning).returns.resolves.toEqualTypeOf<Outcome<CallToolResultV2> | InputRequired>();
  const read = (outcome: Outcome<{ readonly n: number }> | InputRequired) => {
    if (outcome.ok) return expectTypeOf(outcome.result.n).toBeNumber();
    if (outcome.inputRequired !== undefined) return expectTypeOf(outcome.inputRequired["requestState"]).toBeUnknown();
    return expectTypeOf(outcome.fault.reason).toBeString();
  };
  expectTypeOf(read).toBeFunction();
});
