import { expect, it } from "vitest";
import {
  bodyAnswer,
  exchangeOf,
  OVER_HTTP,
  PLANTED,
  rpcError,
  rpcResult,
  silence,
  toolFailure,
  toolSuccess,
  viewOf,
} from "../../test/support/make-recording.ts";
import { allFailures, isListedText, withoutOwn } from "./failures.ts";

function failures(...answers: Parameters<typeof exchangeOf>[1][]) {
  return allFailures(viewOf(answers.map((answer) => exchangeOf("valid-call", answer)))).map(
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

const CALL = exchangeOf("valid-call", silence(), {
  tool: "read_file",
  params: { name: "read_file", arguments: { path: "/recourse-probe/value", id: "recourse-probe-value" } },
});

it.each([
  ["No file /recourse-probe/value.", "No file …."],
  ["No file %2Frecourse-probe%2Fvalue.", "No file …."],
  ["read_file: not allowed", "…: not allowed"],
  [`got ${PLANTED.bait} and ${PLANTED.canary}`, "got … and …"],
  // V8 cuts what it quotes.
  [`Unexpected token, "${PLANTED.bait.slice(0, 10)}"... is bad`, 'Unexpected token, "…"... is bad'],
  ["at http://127.0.0.1:8080/mcp", "at …"],
  ["at localhost:8080", "at …"],
  ["at localhost:5432", "at localhost:5432"],
  ["/etc/passwd", "/etc/passwd"],
])("makes of %j over HTTP %j", (text, rest) => {
  expect(withoutOwn(text, viewOf([], { target: OVER_HTTP }), CALL)).toBe(rest);
});

it("removes the server's command line and its descriptions", () => {
  const command = ["node", "/srv/app/dist/index.js", "--root=/data/files/", "/data/allowed"];
  const tools = [{ name: "read_file", description: "Reads a file of /data/files, such as /data/files/a.txt." }];
  const view = viewOf([], { target: { command }, tools });
  expect(withoutOwn("/x is outside of /data/allowed", view, CALL)).toBe("/x is outside of …");
  expect(withoutOwn("/x is outside of /data/files", view, CALL)).toBe("/x is outside of …");
  expect(withoutOwn("Reads a file of /data/files, such as /data/files/a.txt. Try again", view, CALL)).toBe(
    "… Try again",
  );
  expect(withoutOwn("failed in /srv/app/dist/other.js", view, CALL)).toContain("other.js");
  expect(isListedText("/data/files/a.txt", view)).toBe(true);
  expect(isListedText("/data/files/b.txt", view)).toBe(false);
});

it("removes a long name also where the server cut it", () => {
  const name = "a".repeat(4000);
  const call = exchangeOf("long-tool-name", silence(), { params: { name } });
  expect(withoutOwn(`Unknown tool: ${name.slice(0, 200)}…`, viewOf([]), call)).toBe("Unknown tool: ……");
});

it("removes the words of a text that is no JSON", () => {
  const cut = exchangeOf("malformed-message", silence(), { text: '{"token":"abcdefgh","method":' });
  expect(withoutOwn("Unexpected end near abcdefgh", viewOf([]), cut)).toBe("Unexpected end near …");
});
