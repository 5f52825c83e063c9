import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RequestMessage } from "../call/message.ts";
import { type Hop, hopParams } from "./hop-params.ts";
import { findSpans } from "./message-spans.ts";

const HOP: Hop = {
  target: "echo",
  era: "2026-07-28",
  deadlineMs: 900,
  traceparent: undefined,
  clientInfo: '{"name":"gw","version":"1.0.0"}',
};
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function message(text: string): RequestMessage {
  const parsed = JSON.parse(text) as { method: string; params?: { _meta?: object } };
  const bytes = Buffer.from(text);
  const found = findSpans(bytes, parsed);
  if (typeof found === "string") throw new Error(found);
  const { method, params } = parsed;
  return { method, id: 1, params: params as never, meta: params?._meta as never, bytes, spans: found };
}

function paramsOf(params: string | undefined, hop: Partial<Hop> = {}): string {
  const member = params === undefined ? "" : `,"params":${params}`;
  return hopParams(message(`{"method":"tools/call"${member}}`), { ...HOP, ...hop }).toString();
}

const STATED =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"gw","version":"1.0.0"}';

test("a caller that states nothing in its request is stated for, in every place where _meta can be missing", () => {
  const meta = `"_meta":{"recourse/call":{"deadlineMs":900},${STATED}}`;
  expect(paramsOf(undefined)).toBe(`{${meta}}`);
  expect(paramsOf("{}")).toBe(`{${meta}}`);
  expect(paramsOf("{ }")).toBe(`{${meta}}`);
  expect(paramsOf('{"name":"up__echo"}')).toBe(`{${meta},"name":"echo"}`);
  expect(paramsOf('{"_meta":{},"name":"up__echo"}')).toBe(`{${meta},"name":"echo"}`);
  expect(paramsOf('{"name":"up__echo","_meta":{ }}')).toBe(`{"name":"echo",${meta}}`);
});

test("the values of the members that pass are not written again, and others stay behind", () => {
  const sent =
    '{ "arguments" : {"n":12345678901234567890 , "f":1e400},"x":1,"_meta":{"a":1.10 , "traceparent":"x","recourse/call":{"id":"i","attempt":2,"deadlineMs":5000,"key":"k","x":1},"baggage" : "\\u0062","io.modelcontextprotocol/protocolVersion":"2026-07-28"},"name":"up__echo" }';
  expect(paramsOf(sent, { traceparent: TRACE })).toBe(
    `{"arguments" : {"n":12345678901234567890 , "f":1e400},"_meta":{"baggage" : "\\u0062","io.modelcontextprotocol/protocolVersion":"2026-07-28","recourse/call":{"id":"i","attempt":2,"deadlineMs":900},"traceparent":"${TRACE}"},"name":"echo"}`,
  );
});

test("members of _meta pass in the form that the protocol gives them", () => {
  const meta = (members: string) => paramsOf(`{"_meta":{${members}}}`, { era: "2025-11-25" });
  const own = '"recourse/call":{"deadlineMs":900}';
  for (const good of ['"progressToken":1.0', '"progressToken":"p"', '"tracestate":"a=1"', '"baggage":""']) {
    expect(meta(good)).toBe(`{"_meta":{${good},${own}}}`);
  }
  for (const bad of [
    '"progressToken":{}',
    '"tracestate":1',
    '"baggage":["a"]',
    '"traceparent":null',
    '"toString":"a"',
  ]) {
    expect(meta(bad)).toBe(`{"_meta":{${own}}}`);
  }
  for (const bad of ['"id":1', '"attempt":"1"', '"attempt":1.5', '"key":"k"']) {
    expect(meta(`"recourse/call":{${bad}}`)).toBe(`{"_meta":{${own}}}`);
  }
});

test("a caller that names itself without stating a version is stated for, once", () => {
  expect(paramsOf('{"_meta":{"io.modelcontextprotocol/clientInfo":{},"progressToken":1}}')).toBe(
    `{"_meta":{"progressToken":1,"recourse/call":{"deadlineMs":900},${STATED}}}`,
  );
});

test("answers and state of a round stand behind the members that were sent", () => {
  const round = { state: 'a"é', responses: Buffer.from('{"q":1e400}') };
  const hop = { era: "2025-11-25", round } as const;
  const sent = '{"_meta":{},"inputResponses":{"other":1},"requestState":"forged","name":"up__echo"}';
  expect(paramsOf(sent, hop)).toBe(
    '{"_meta":{"recourse/call":{"deadlineMs":900}},"name":"echo","inputResponses":{"q":1e400},"requestState":"a\\"é"}',
  );
  expect(paramsOf(sent, { ...hop, round: undefined })).toBe(
    '{"_meta":{"recourse/call":{"deadlineMs":900}},"name":"echo"}',
  );
});

test("other arguments and another key stand in place of those that were sent, in every order", () => {
  const hop = { era: "2025-11-25", arguments: Buffer.from('{"a":1e400}'), key: "0f" } as const;
  const members = ['"name":"up__echo"', '"arguments":{ "a":1 }', '"_meta":{"recourse/call":{"id":"i","key":"k"}}'];
  const changed = [
    '"name":"echo"',
    '"arguments":{"a":1e400}',
    '"_meta":{"recourse/call":{"id":"i","deadlineMs":900,"key":"0f"}}',
  ];
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const pick = (from: readonly string[]) => `{${order.map((at) => from[at]).join()}}`;
    expect(paramsOf(pick(members), hop)).toBe(pick(changed));
  }
  expect(paramsOf('{"name":"up__echo"}', hop)).toBe(
    '{"_meta":{"recourse/call":{"deadlineMs":900,"key":"0f"}},"name":"echo","arguments":{"a":1e400}}',
  );
});

test("there is room for everything that a hop adds, also to a message without params", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 }).filter((one) => one.isWellFormed());
  const sent = fc.record({
    name: text,
    arguments: text,
    _meta: fc.record({ baggage: text, "recourse/call": fc.record({ id: text }) }),
  });
  const given = fc.record({
    params: fc.option(sent, { nil: undefined }),
    target: text,
    args: text,
    state: text,
    level: text,
  });
  fc.assert(
    fc.property(given, ({ params, target, args, state, level }) => {
      const round = { state, responses: Buffer.from(JSON.stringify({ q: args })) };
      const hop = { target, arguments: Buffer.from(JSON.stringify(args)), round, logLevel: level, key: "k" };
      expect(JSON.parse(paramsOf(params && JSON.stringify(params), hop))).toEqual({
        ...(params && { name: target }),
        arguments: args,
        inputResponses: { q: args },
        requestState: state,
        _meta: {
          ...(params && { baggage: params._meta.baggage }),
          "recourse/call": { ...params?._meta["recourse/call"], deadlineMs: 900, key: "k" },
          "io.modelcontextprotocol/logLevel": level,
          ...(JSON.parse(`{${STATED}}`) as object),
        },
      });
    }),
    { numRuns: runs(2_000) },
  );
});

test("a trace of the caller stays where the gateway has none of its own", () => {
  expect(paramsOf('{"_meta":{"traceparent":"x"}}', { era: "2025-11-25" })).toBe(
    '{"_meta":{"traceparent":"x","recourse/call":{"deadlineMs":900}}}',
  );
});

test("an upstream of the older era gets no members that it could take for the newer one", () => {
  const sent = `{"_meta":{${STATED},"progressToken":7},"name":"up__echo"}`;
  expect(paramsOf(sent, { era: "2025-11-25" })).toBe(
    '{"_meta":{"progressToken":7,"recourse/call":{"deadlineMs":900}},"name":"echo"}',
  );
});

test("whatever was sent, the result is JSON, says the same, and has nothing else", () => {
  const params = fc.record(
    {
      name: fc.string(),
      arguments: fc.jsonValue(),
      _meta: fc.dictionary(
        fc.oneof(
          fc.string().filter((text) => JSON.stringify(text) === `"${text}"`),
          fc.constantFrom("progressToken", "baggage", "recourse/call", "io.modelcontextprotocol/clientInfo"),
        ),
        fc.jsonValue(),
      ),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const era = fc.constantFrom<Hop["era"]>("2025-11-25", "2026-07-28");
  const own = ["recourse/call", "io.modelcontextprotocol/"];
  fc.assert(
    fc.property(params, era, fc.option(fc.string(), { nil: undefined }), (sent, to, target) => {
      const before = JSON.parse(JSON.stringify(sent)) as Record<string, unknown>;
      const after = JSON.parse(paramsOf(JSON.stringify(sent), { era: to, target })) as Record<string, unknown>;
      const { name, arguments: args, _meta: meta, ...rest } = after;
      expect(rest).toEqual({});
      expect(args).toEqual(before["arguments"]);
      expect(name).toEqual("name" in before && target !== undefined ? target : before["name"]);
      expect(meta).toMatchObject({ "recourse/call": { deadlineMs: 900 } });
      for (const [key, value] of Object.entries(meta as Record<string, unknown>)) {
        if (own.some((prefix) => key.startsWith(prefix))) continue;
        expect(["progressToken", "baggage"]).toContain(key);
        expect(value).toEqual((before["_meta"] as Record<string, unknown>)[key]);
      }
    }),
    { numRuns: runs(500) },
  );
});

test("the log level of a session is stated to an upstream of the newer era, unless the caller states what it wants itself", () => {
  const level = '"io.modelcontextprotocol/logLevel":"warning"';
  expect(paramsOf("{}", { logLevel: "warning" })).toContain(level);
  expect(paramsOf("{}", { logLevel: "warning", era: "2025-11-25" })).not.toContain("logLevel");
  const modern = `{"_meta":{${STATED},"io.modelcontextprotocol/logLevel":"debug"}}`;
  expect(paramsOf(modern, { logLevel: "warning" })).not.toContain("warning");
});

test("a task is asked for only where the upstream knows tasks, as it was written", () => {
  const sent = '{"name":"up__echo","task":{ "ttl" : 6e4 }}';
  expect(paramsOf(sent)).not.toContain("task");
  expect(paramsOf(sent, { passesTask: true })).toContain('"name":"echo","task":{ "ttl" : 6e4 }');
});

test("requests about tasks have the id of the upstream, and nothing else of the caller", () => {
  const own = (method: string, params: string, hop: Partial<Hop>) =>
    hopParams(message(`{"method":"${method}","params":${params}}`), { ...HOP, era: "2025-11-25", ...hop }).toString();
  const meta = '"_meta":{"recourse/call":{"deadlineMs":900}}';
  const get = '{"taskId":"t1.x","name":"n","x":1}';
  expect(own("tasks/get", get, { target: "up-1" })).toBe(`{${meta},"taskId":"up-1"}`);
  const update = '{"taskId":"t1.x","inputResponses":{"a":{"n":1e400}},"requestState":"s"}';
  expect(own("tasks/update", update, { target: "up-1" })).toBe(
    `{${meta},"taskId":"up-1","inputResponses":{"a":{"n":1e400}}}`,
  );
});
