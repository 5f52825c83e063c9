import { afterEach, beforeEach, expect, test } from "vitest";
import { createRawClient, type RawClient } from "../../test/raw-client.ts";
import { misbehave, type Peer } from "./misbehave.ts";

let peer: Peer;
let client: RawClient;
beforeEach(async () => {
  peer = await misbehave({ delayMs: 1, limits: { pageSize: 2 } });
  client = createRawClient(peer);
  await client.initialize();
});
afterEach(() => peer.close());

const charge = () => client.callTool("charge", { amount: 1 });
async function order(body: string): Promise<unknown[]> {
  const response = await fetch(peer.controlUrl, { method: "POST", body });
  return [response.status, await response.json()];
}

test("sets the next steps, and tells what was done", async () => {
  expect(await order('{"next":["lost-socket","ok"]}')).toMatchObject([200, { effects: { total: 0 } }]);
  await expect(charge()).rejects.toThrow();
  await charge();
  const state = await (await fetch(peer.controlUrl)).json();
  expect(state).toMatchObject({ effects: { total: 2 } });
  expect((state as { calls: { step: string }[] }).calls.map(({ step }) => step).slice(-2)).toEqual([
    "lost-socket",
    "ok",
  ]);
});

test("one step may wait for another method, with options", async () => {
  await order('{"next":{"do":"503-bare","commit":true},"on":"ping"}');
  expect((await charge())["result"]).toBeDefined();
  expect(await client.request("ping")).toEqual({});
});

test("steps that were not taken can be cleared, and the clock advanced", async () => {
  const { result } = await client.request("tools/list");
  await order('{"next":"lost-socket"}');
  await order('{"clear":true,"advanceClockMs":3600000}');
  expect((await charge())["result"]).toBeDefined();
  const expired = await client.request("tools/list", { cursor: (result as { nextCursor: string }).nextCursor });
  expect(expired["error"]).toMatchObject({ data: { "recourse/fault": { reason: "pagination/cursor_expired" } } });
});

test.each([
  ["nonsense", "Send a JSON object."],
  ["[]", "Send a JSON object."],
  ['{"next":["lost-sock"]}', 'There is no misbehaviour "lost-sock"; did you mean "lost-socket"?'],
  ['{"next":5}', 'The value of "next" has the wrong type.'],
  ['{"advanceClockMs":1e308}', 'The value of "advanceClockMs" has the wrong type.'],
  ['{"constructor":1}', 'There is no order "constructor". Orders: next, on, clear, advanceClockMs.'],
  [`{"next":"${"x".repeat(70_000)}"}`, "Send a JSON object."],
])("%.30s is refused with a sentence", async (body, problem) => {
  expect(await order(body)).toEqual([400, { problem }]);
  expect((await charge())["result"]).toBeDefined();
});

test("other methods are refused", async () => {
  expect((await fetch(peer.controlUrl, { method: "DELETE" })).status).toBe(405);
});
