import { expect, it } from "vitest";
import {
  bodyAnswer,
  exchangeOf,
  rpcError,
  rpcResult,
  silence,
  toolFailure,
  toolSuccess,
  viewOf,
} from "../../test/make-recording.ts";
import { failuresOf } from "./failures.ts";

function failures(...answers: Parameters<typeof exchangeOf>[1][]) {
  return failuresOf(viewOf(answers.map((answer) => exchangeOf("valid-call", answer)))).map(
    ({ exchange: _, ...rest }) => rest,
  );
}

it("finds the failures of a run, and what a model reads of each", () => {
  expect(
    failures(
      rpcError(-32602, "Unknown tool", { data: { hint: "look at tools/list" } }),
      toolFailure("It is closed.", { structuredContent: { code: "closed" } }),
      bodyAnswer(400, "<h1>Bad Request</h1>"),
      bodyAnswer(403, '{"error":"Forbidden"}', "application/json"),
    ),
  ).toStrictEqual([
    { channel: "rpc", code: -32602, text: "Unknown tool", everything: "Unknown tool\nlook at tools/list" },
    { channel: "tool", text: "It is closed.", everything: "closed\ntext\nIt is closed." },
    { channel: "http", text: "<h1>Bad Request</h1>", everything: "<h1>Bad Request</h1>" },
    { channel: "http", text: '{"error":"Forbidden"}', everything: "Forbidden" },
  ]);
});

it("counts neither successes, nor silence, nor the acceptance of a notification", () => {
  expect(failures(toolSuccess("fine"), rpcResult({}), silence(), bodyAnswer(202, ""))).toStrictEqual([]);
});

it("has no code where the code is no number", () => {
  expect(failures(rpcError("E1", "bad"))).toStrictEqual([{ channel: "rpc", text: "bad", everything: "E1\nbad" }]);
});
