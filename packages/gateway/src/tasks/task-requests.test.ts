import { expect, it } from "vitest";
import { NO_ABILITIES } from "../call/abilities.ts";
import type { RoutedTask } from "../call/call.ts";
import type { ServerAnswer, ServerRequest } from "../call/server-request.ts";
import type { UpstreamRequest } from "../call/upstream.ts";
import { inTaskSession } from "./task-requests.ts";

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
