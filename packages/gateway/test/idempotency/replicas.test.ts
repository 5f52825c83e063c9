// Replicas that share a database: in this process, and in processes that are killed and stopped.
import { afterAll, beforeAll, expect, it } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerWith, OK, type StubAnswer, type StubUpstream, startStubUpstream } from "../support/stub-upstream.ts";
import { callKeyed, faultIn, type KeyedCall, keyIn } from "./support/call.ts";
import { START_MS, startEngines, startReplica } from "./support/replicas.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

/** How long a call may take, and how long after that its claim is late. */
const DEADLINE_MS = 1_000;
const MORTAL = { claimGraceMs: 200 };

/** Keys of one file of tests share a table, so each is used in one test. */
let keys = 0;
const newKey = () => `"key ${keys++}"`;

/** An upstream whose first call never ends and whose others answer with their number; it counts its effects. */
function stuckAtFirst(): Promise<StubUpstream> {
  let calls = 0;
  const answer: StubAnswer = (request, response) => {
    calls += 1;
    return calls === 1 ? undefined : answerWith(numbered(calls))(request, response);
  };
  return startStubUpstream(answer);
}

function numbered(call: number): string {
  return `{"resultType":"complete","content":[{"type":"text","text":"effect ${call}"}]}`;
}

/** Waits until the claim of a dead or stopped replica is late, and gives the answer to a call after that. */
async function afterClaim(url: URL, call: KeyedCall) {
  const reasonOf = (answer: Awaited<ReturnType<typeof callKeyed>>) =>
    answer.text.includes("recourse/fault") ? faultIn(answer).reason : "success";
  let answer = await callKeyed(url, call);
  await expect
    .poll(
      async () => {
        answer = await callKeyed(url, call);
        return reasonOf(answer);
      },
      { timeout: 40_000, interval: 50 },
    )
    .not.toBe("idempotency/in_progress");
  return answer;
}

it("two replicas run a call once that both get at the same time, and tell one of them of the other", async () => {
  const gate = Promise.withResolvers<void>();
  const upstream = await startStubUpstream(async (request, response) => {
    await gate.promise;
    await answerWith(OK)(request, response);
  });
  const options = engines.shared({ upstreams: [httpUpstream(upstream.url)] });
  const one = await startTestGateway(options);
  const other = await startTestGateway(options);
  const key = newKey();
  let answered = 0;
  const calls = [one, other, one, other].map(async ({ url }) => {
    const answer = await callKeyed(url, { key });
    answered += 1;
    return answer;
  });
  await expect.poll(() => answered).toBe(3);
  gate.resolve();
  const answers = await Promise.all(calls);
  const told = answers.filter(({ text }) => text.includes("recourse/fault")).map((answer) => faultIn(answer).reason);
  expect(told).toEqual(Array.from({ length: 3 }, () => "idempotency/in_progress"));
  await expect.poll(async () => (await callKeyed(other.url, { key })).json().result).toEqual(JSON.parse(OK));
  expect((await callKeyed(one.url, { key })).json().result).toEqual(JSON.parse(OK));
  expect(upstream.received).toHaveLength(1);
});

it("a replica that is killed while its calls run leaves keys whose outcome is unknown", async () => {
  const plain = await stuckAtFirst();
  const honouring = await stuckAtFirst();
  const options = engines.shared({
    upstreams: [
      httpUpstream(plain.url),
      httpUpstream(honouring.url, { name: "honouring", prefix: "honouring__", honoursKeys: true }),
    ],
  });
  const killed = await startReplica(options, MORTAL);
  const other = await startTestGateway(options);
  const toPlain: KeyedCall = { key: newKey() };
  const toHonouring: KeyedCall = { key: newKey(), tool: "honouring__echo" };
  const lost = [toPlain, toHonouring].map((call) =>
    callKeyed(killed.url, { ...call, deadlineMs: DEADLINE_MS }).catch(() => "lost"),
  );
  await expect.poll(() => [plain, honouring].map(({ received }) => received.length)).toEqual([1, 1]);
  await killed.kill();
  expect(await Promise.all(lost)).toEqual(["lost", "lost"]);

  // The call never runs again.
  expect(faultIn(await afterClaim(other.url, toPlain))).toMatchObject({
    reason: "idempotency/outcome_unknown",
    effect: "possible",
    retry: { allowed: false },
  });
  expect(faultIn(await callKeyed(other.url, toPlain)).reason).toBe("idempotency/outcome_unknown");
  expect(plain.received).toHaveLength(1);

  // At an upstream that honours keys it runs again, with the same key.
  expect((await afterClaim(other.url, toHonouring)).json().result).toEqual(JSON.parse(numbered(2)));
  const [first, second] = honouring.received.map(({ text }) => keyIn(text));
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
  expect(honouring.received).toHaveLength(2);
});

it("a replica that was stopped cannot store its outcome over that of the one that took over", async () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const upstream = await startStubUpstream(async (request, response) => {
    calls += 1;
    const number = calls;
    if (number === 1) await gate.promise;
    await answerWith(numbered(number))(request, response);
  });
  const options = engines.shared({ upstreams: [httpUpstream(upstream.url, { honoursKeys: true })] });
  const stopped = await startReplica(options, MORTAL);
  const other = await startTestGateway(options);
  const key = newKey();
  const late = callKeyed(stopped.url, { key, deadlineMs: DEADLINE_MS }).then(({ text }) => text);
  await expect.poll(() => upstream.received.length).toBe(1);
  stopped.pause();
  gate.resolve();
  expect((await afterClaim(other.url, { key })).json().result).toEqual(JSON.parse(numbered(2)));
  stopped.resume();
  // Whether it sees the answer or its deadline first, it ends its call and wants to store that.
  expect(await late).not.toContain("effect 2");
  const after = await callKeyed(stopped.url, { key });
  expect(after.json().result).toEqual(JSON.parse(numbered(2)));
  expect((await callKeyed(other.url, { key })).json().result).toEqual(JSON.parse(numbered(2)));
  expect(upstream.received).toHaveLength(2);
});
