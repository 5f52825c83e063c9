import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_ABILITIES } from "../call/abilities.ts";
import type { RoutedTask } from "../call/call.ts";
import type { ServerAnswer, ServerRequest } from "../call/server-request.ts";
import type { UpstreamRequest } from "../call/upstream.ts";
import { inTaskSession, TASK_PLACES, withMembers, withoutFailureTexts, withTaskIds } from "./rewrite-task.ts";

const RELATED = "io.modelcontextprotocol/related-task";
const upper = (taskId: string) => taskId.toUpperCase();
const rename = (json: string, place: keyof typeof TASK_PLACES) =>
  withTaskIds(Buffer.from(json), TASK_PLACES[place], upper).toString();

describe("withTaskIds", () => {
  it.each([
    ["created", '{"result":{"task":{"taskId":"a"}}}', '{"result":{"task":{"taskId":"A"}}}'],
    ["created", '{"result":{"resultType":"task","taskId":"a"}}', '{"result":{"resultType":"task","taskId":"A"}}'],
    ["known", '{"result" : { "n":1e400, "taskId" : "a" }}', '{"result" : { "n":1e400, "taskId" : "A" }}'],
    [
      "outcome",
      `{"result":{"taskId":"a","_meta":{"${RELATED}":{"taskId":"a"}}}}`,
      `{"result":{"taskId":"a","_meta":{"${RELATED}":{"taskId":"A"}}}}`,
    ],
    ["notice", '{"params":{"taskId":"a"}}', '{"params":{"taskId":"A"}}'],
    ["relatedMember", `{"_meta":{"${RELATED}":{"taskId":"a"}}}`, `{"_meta":{"${RELATED}":{"taskId":"A"}}}`],
  ] as const)("changes what is %s in %s", (place, json, expected) => {
    expect(rename(json, place)).toBe(expected);
  });

  it("changes every one of repeated and escaped members", () => {
    expect(rename('{"result":{"taskId":"a","task\\u0049d":"\\u0061"},"result":{"taskId":"b"}}', "known")).toBe(
      '{"result":{"taskId":"A","task\\u0049d":"A"},"result":{"taskId":"B"}}',
    );
  });

  it("leaves what is no text, what stays, and what is not JSON", () => {
    for (const json of ['{"result":{"taskId":7}}', '{"result":[]}', "{", "", "null", '{"result":{"taskId":"a"'])
      expect(rename(json, "known")).toBe(json);
    const bytes = Buffer.from('{"result":{"taskId":"a"}}');
    expect(withTaskIds(bytes, TASK_PLACES.known, () => undefined)).toBe(bytes);
  });

  it("is read back as the same with other ids", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.string(), (more, before, after) => {
        const json = Buffer.from(JSON.stringify({ id: 1, result: { ...more, taskId: before } }));
        const changed = withTaskIds(json, TASK_PLACES.known, () => after);
        const expected = { ...more, taskId: after } as { _meta?: unknown };
        const read = JSON.parse(changed.toString()).result;
        if (!Object.hasOwn(more, "_meta")) expect(read).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("withMembers", () => {
  it("puts members in place of others, and leaves the rest as it was written", () => {
    const json = Buffer.from('x{"a":1e400, "b":2,"\\u0063":3 ,"b":4}y');
    expect(withMembers(json, 1, { b: '"new"', c: undefined, d: "[]" }).toString()).toBe(
      'x{"a":1e400,"b":"new","d":[]}y',
    );
    expect(withMembers(Buffer.from("{}"), 0, { a: "1" }).toString()).toBe('{"a":1}');
    expect(withMembers(Buffer.from('{"a":1}'), 0, { a: undefined }).toString()).toBe("{}");
    expect(withMembers(Buffer.from("[]"), 0, { a: "1" }).toString()).toBe("[]");
  });
});

it("takes out what is said about failed tasks, and nothing else", () => {
  const failed = { taskId: "a", status: "failed", statusMessage: "at /srv/app.js:1" };
  const working = { taskId: "b", status: "working", statusMessage: "half" };
  const { statusMessage: _, ...quiet } = failed;
  const notice = (params: object) => Buffer.from(JSON.stringify({ method: "notifications/tasks/status", params }));
  expect(withoutFailureTexts(notice(failed), "notice")).toEqual(notice(quiet));
  const untouched = notice(working);
  expect(withoutFailureTexts(untouched, "notice")).toBe(untouched);
});

const related = (taskId: string) => ({ _meta: { "io.modelcontextprotocol/related-task": { taskId } } });
const bytes = (value: object) => Buffer.from(JSON.stringify(value));
const TASK: RoutedTask = { id: "t1", session: "\nfirst", abilities: NO_ABILITIES, tool: undefined };

function request(changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: "tasks/result",
    target: "up-1",
    id: "1",
    params: bytes({ taskId: "up-1" }),
    parsed: undefined,
    session: "caller\nsecond",
    caller: { id: "caller", tenant: "acme" },
    timeoutMs: 1_000,
    signal: new AbortController().signal,
    onNotification: () => {},
    ...changes,
  };
}

it("uses the session that started the task, or any where there are no sessions", () => {
  expect(inTaskSession(request(), { task: TASK, taskId: "up-1" }).session).toBe("caller\nfirst");
  const task = { ...TASK, session: undefined };
  expect(inTaskSession(request(), { task, taskId: "up-1" }).session).toBe("caller\nsecond");
});

it("names the task to the caller, and to the upstream, and leaves other tasks alone", async () => {
  const heard: string[] = [];
  const asked: ServerRequest[] = [];
  const sent = inTaskSession(
    request({
      onNotification: (message) => void heard.push(message.toString()),
      onRequest: async (one): Promise<ServerAnswer> => {
        asked.push(one);
        return { result: bytes({ action: "accept", ...related("t1") }) };
      },
    }),
    { task: TASK, taskId: "up-1" },
  );
  for (const params of [{ taskId: "up-1" }, { taskId: "up-2" }, related("up-1"), related("up-2")]) {
    sent.onNotification(bytes({ method: "n", params }));
  }
  expect(heard.map((text) => JSON.parse(text).params)).toEqual([
    { taskId: "t1" },
    { taskId: "up-2" },
    related("t1"),
    related("up-2"),
  ]);
  const { signal } = new AbortController();
  const answer = await sent.onRequest?.({ method: "elicitation/create", params: bytes(related("up-1")) }, signal);
  expect(JSON.parse(String(asked[0]?.params))).toEqual(related("t1"));
  expect(answer).toEqual({ result: bytes({ action: "accept", ...related("up-1") }) });
  await sent.onRequest?.({ method: "roots/list", params: undefined }, signal);
  expect(asked[1]).toEqual({ method: "roots/list", params: undefined });
  expect(inTaskSession(request(), { task: TASK, taskId: "up-1" }).onRequest).toBeUndefined();
});
