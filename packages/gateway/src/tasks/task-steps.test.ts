import { LATEST_REVISION } from "@recourse/core/wire";
import { expect, it } from "vitest";
import { NO_ABILITIES } from "../call/abilities.ts";
import type { Call } from "../call/call.ts";
import { createTaskIds } from "./task-ids.ts";
import { nameTasks } from "./task-steps.ts";

const ids = createTaskIds(Buffer.from("secret"));
const step = nameTasks(ids);
const TOOL = { name: "up__slow" };

function callOf(answer: string, changes: object = {}, route: object = {}): Call {
  const upstream = { options: { name: "up" }, about: undefined };
  return {
    caller: { id: "c" },
    session: { nonce: "n" },
    abilities: NO_ABILITIES,
    revision: LATEST_REVISION,
    message: { method: "tools/call" },
    mayStartTask: true,
    reply: {},
    answer: Buffer.from(answer),
    route: { kind: "upstream", upstream, target: "slow", tool: TOOL, ...route },
    ...changes,
  } as unknown as Call;
}

it("leaves the answers of calls that cannot be tasks, of other methods, and stored ones", () => {
  const answer = '{"result":{"taskId":"a"}}';
  for (const changes of [
    { mayStartTask: false },
    { mayStartTask: false, message: { method: "resources/read" } },
    { reply: undefined },
    { route: { kind: "local" } },
  ]) {
    const call = callOf(answer, changes);
    const { answer: before } = call;
    expect(step(call)).toBeUndefined();
    expect(call.answer).toBe(before);
  }
});

it("names a task that was asked for as its caller did", () => {
  const task = { id: "t1.x", session: "", abilities: NO_ABILITIES, tool: undefined };
  const about = { message: { method: "tasks/get" }, mayStartTask: false };
  const call = callOf('{"result":{"taskId":"a"}}', about, { target: "a", task, tool: undefined });
  step(call);
  expect(String(call.answer)).toBe('{"result":{"taskId":"t1.x"}}');
});

it.each([
  ["started, in the newer era", "tools/call", (task: object) => ({ resultType: "task", ...task })],
  ["started, in the older era", "tools/call", (task: object) => ({ task })],
  ["cancelled", "tasks/cancel", (task: object) => task],
])("what an upstream says about a failed task is not passed on when it is %s", (_, method, result) => {
  const about = { message: { method } };
  const said = (status: string) => {
    const task = { taskId: "a", status, statusMessage: "at /srv/app.js:1", ttl: 1 };
    const call = callOf(JSON.stringify({ result: result(task) }), about);
    expect(step(call)).toBeUndefined();
    return String(call.answer);
  };
  expect(said("failed")).toContain('"status":"failed","ttl":1');
  expect(said("failed")).not.toContain("app.js");
  expect(said("working")).toContain("app.js");
});

it("leaves a result of a tool that looks a little like a task", () => {
  const result = { content: [], status: "failed", statusMessage: "of an order" };
  const call = callOf(JSON.stringify({ result }));
  expect(step(call)).toBeUndefined();
  expect(JSON.parse(String(call.answer))).toEqual({ result });
});
