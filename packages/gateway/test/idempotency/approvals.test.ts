// Calls with a key that a person has to approve, through whole gateways that share a database.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { OK, startStubUpstream } from "../support/stub-upstream.ts";
import { callKeyed, faultIn } from "./support/call.ts";
import { START_MS, startEngines } from "./support/replicas.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

it("one approval lets the call run once, its outcome is given again, and nothing else runs", async () => {
  const upstream = await startStubUpstream();
  const options = engines.shared({
    upstreams: [httpUpstream(upstream.url)],
    approvals: { tools: ["up__echo"], denied: [], expiresMs: 600_000, link: undefined },
    admin: ADMIN,
  });
  const one = await startTestGateway(options);
  const other = await startTestGateway(options);
  const call = { key: '"refund 7"', args: '{ "amount" : 1.10 }' };

  const fault = faultIn(await callKeyed(one.url, call));
  expect(fault).toMatchObject({ reason: "auth/approval_required", effect: "none" });
  const path = `/approvals/${String(fault.params?.["approval"])}`;
  const admin = one.adminUrl ?? one.url;
  expect((await ask(admin, path)).json).toMatchObject({ state: "pending", arguments: '{"amount":1.10}' });
  expect((await ask(admin, `${path}/decision`, { method: "POST", body: { approve: true } })).status).toBe(200);

  // Of all who use the approval at once, one runs: with the same key, with another one, and without one.
  const calls = [call, call, { ...call, key: '"refund 8"' }, { args: call.args }];
  const answers = await Promise.all(calls.flatMap((each) => [callKeyed(one.url, each), callKeyed(other.url, each)]));
  expect(upstream.received).toHaveLength(1);
  expect(upstream.received[0]?.text).toContain('"arguments":{"amount":1.10}');
  expect((await ask(admin, path)).json).toMatchObject({ state: "consumed" });
  const served = answers.filter(({ text }) => !text.includes("recourse/fault"));
  expect(served.length).toBeGreaterThan(0);
  for (const { json } of served) expect(json().result).toEqual(JSON.parse(OK));
  // The others were told why, and none of them holds a key: they wait for another approval.
  const reasons = new Set(answers.filter((answer) => !served.includes(answer)).map((one) => faultIn(one).reason));
  for (const reason of reasons) {
    expect(["idempotency/in_progress", "auth/approval_required", "auth/approval_expired"]).toContain(reason);
  }
});
