import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import { declaresTasks, mayBecomeTask, startsTasks, type TaskHost, taskCapability } from "./task-support.ts";

const OLDER = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const NEWER = { extensions: { "io.modelcontextprotocol/tasks": {} } };

function host(capabilities: object | undefined, era: TaskHost["era"]): TaskHost {
  const about = capabilities && { capabilities: capabilities as Record<string, unknown>, instructions: undefined };
  return { upstream: { about }, era };
}

const older = host(OLDER, LATEST_HANDSHAKE_REVISION);
const newer = host(NEWER, LATEST_REVISION);
const META = { "io.modelcontextprotocol/clientCapabilities": NEWER };

it("knows which upstreams start tasks, each in the way of its era", () => {
  expect([older, newer].map(startsTasks)).toEqual([true, true]);
  const others = [
    host(NEWER, LATEST_HANDSHAKE_REVISION),
    host(OLDER, LATEST_REVISION),
    host({}, LATEST_REVISION),
    host({ tasks: { requests: {} } }, LATEST_HANDSHAKE_REVISION),
    host(undefined, LATEST_REVISION),
    host(OLDER, undefined),
  ];
  expect(others.filter(startsTasks)).toEqual([]);
});

it("announces what upstreams of the older era announced", () => {
  expect(taskCapability([newer, host({}, LATEST_HANDSHAKE_REVISION)])).toBeUndefined();
  expect(taskCapability([older])).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
  expect(taskCapability([newer, older])).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
});

describe("a call may become a task", () => {
  const call = (revision: TaskHost["era"], params: object, meta: object = {}, method = "tools/call") =>
    ({ revision, message: { method, params, meta } }) as unknown as Parameters<typeof mayBecomeTask>[0];

  it("where both sides know tasks of the same era", () => {
    expect(declaresTasks(META)).toBe(true);
    expect(mayBecomeTask(call(LATEST_HANDSHAKE_REVISION, { task: {} }), older)).toBe(true);
    expect(mayBecomeTask(call(LATEST_REVISION, {}, META), newer)).toBe(true);
  });

  it.each([
    ["the caller did not ask", call(LATEST_HANDSHAKE_REVISION, {}), older],
    ["the caller does not know tasks", call(LATEST_REVISION, { task: {} }), newer],
    ["the upstream is of the newer era", call(LATEST_HANDSHAKE_REVISION, { task: {} }), newer],
    ["the upstream is of the older era", call(LATEST_REVISION, { task: {} }, META), older],
    ["the upstream has no tasks", call(LATEST_REVISION, {}, META), host({}, LATEST_REVISION)],
    ["no tool is called", call(LATEST_REVISION, {}, META, "prompts/get"), newer],
  ])("not where %s", (_, one, upstream) => {
    expect(mayBecomeTask(one, upstream)).toBe(false);
  });
});
