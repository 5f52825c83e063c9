import { expect, it } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { CredentialCutter } from "./credential-cutter.ts";
import { NotificationRelay } from "./notification-relay.ts";

function read(message: object, taskId?: string): string | undefined {
  const now = () => 0;
  const cutter = new CredentialCutter({ observer: { log: () => {} }, now });
  const relay = new NotificationRelay({
    upstream: httpUpstream("http://127.0.0.1/"),
    head: headWith({}),
    cutter,
    now,
    taskId,
  });
  return relay.read(Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message })))?.toString();
}

const status = (params: object) => ({ method: "notifications/tasks/status", params });

it("passes changes of the task that the call asks about, and of no other", () => {
  const own = status({ taskId: "t1", status: "working", statusMessage: "half" });
  expect(read(own, "t1")).toBe(JSON.stringify({ jsonrpc: "2.0", ...own }));
  expect(read(own, "t2")).toBeUndefined();
  expect(read(own)).toBeUndefined();
  expect(read(status({ status: "working" }))).toBeUndefined();
  expect(read({ method: "notifications/tasks/status" })).toBeUndefined();
});

it("leaves out what is said about a failure", () => {
  const failed = { taskId: "t1", status: "failed" };
  expect(read(status({ ...failed, statusMessage: "at /srv/app.js:1" }), "t1")).toBe(
    JSON.stringify({ jsonrpc: "2.0", ...status(failed) }),
  );
});

it("passes what a server may tell during a call, and nothing else", () => {
  expect(read({ method: "notifications/progress", params: {} })).toBeDefined();
  expect(read({ method: "notifications/progress", params: [] })).toBeUndefined();
  expect(read({ method: "notifications/tasks", params: { taskId: "t1" } }, "t1")).toBeUndefined();
  expect(read({ method: "notifications/cancelled", params: {} })).toBeUndefined();
});
