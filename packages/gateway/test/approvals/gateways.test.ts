// Two gateways on one database, with an upstream that counts what reaches it.
import type { Fault } from "@recourse/core";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "../../src/approvals/approvals.ts";
import { type PostgresApprovals, postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import type { ApprovalsConfig } from "../../src/config/types.ts";
import { bodyOf, callOlder, faultIn, headersOf } from "../idempotency/support/call.ts";
import { ACME, keyed, OTHER, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, post, type RawAnswer } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { poolOf } from "./support.ts";

const APPROVALS: ApprovalsConfig = {
  tools: ["up__*"],
  denied: [],
  expiresMs: 900_000,
  link: "https://ops.example.com/approvals/{id}",
};

let engines: Awaited<ReturnType<typeof startEngines>>;
let pool: ReturnType<typeof poolOf>;
let store: PostgresApprovals;

beforeAll(async () => {
  engines = await startEngines();
  pool = poolOf(engines.url);
  store = postgresApprovals(pool);
}, 120_000);
afterAll(async () => {
  await pool.end();
  await engines.close();
});

async function startTwo(approvals: ApprovalsConfig = APPROVALS) {
  const upstream = await startStubUpstream();
  const changes = engines.shared({ upstreams: [httpUpstream(upstream.url)], approvals });
  const [one, two] = [await startTestGateway(changes), await startTestGateway(changes)];
  return { upstream, urls: [one.url, two.url] as const };
}

/** Arguments that no other test uses. */
let used = 0;
const newArguments = () => `{"n":${++used}}`;

/** The id in an answer that asks for an approval, as fault or as a page. */
function idIn(answer: RawAnswer): string {
  return /"approval":"([0-9A-Z]{26})"|\/approvals\/([0-9A-Z]{26})/.exec(answer.text)?.slice(1).find(Boolean) ?? "";
}

const decide = (id: string, approve = true) => store.decide({ id, approve, by: "ann" });
const isDone = (answer: RawAnswer) => answer.text.includes('"text":"ok"');

/** Calls as a client of the newer era that can open pages; `more` are further params. */
function callWithPages(url: URL, args: string, more = ""): Promise<RawAnswer> {
  const meta = MODERN_META.replace('clientCapabilities":{}', 'clientCapabilities":{"elicitation":{"url":{}}}');
  const params = `{"name":"up__echo","arguments":${args},${more}"_meta":{${meta}}}`;
  return post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, headersOf());
}

describe("approvals at two gateways", { timeout: 60_000 }, () => {
  it("older clients get a fault with id, link and expiry; the repeated call runs once; the third asks again", async () => {
    const { upstream, urls } = await startTwo();
    const args = newArguments();
    const first = await callOlder(urls[0], { args });
    const id = idIn(first);
    expect(faultIn(first)).toMatchObject({
      reason: "auth/approval_required",
      effect: "none",
      params: { approval: id, expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      recourse: [{ do: "ask_user", approval: id, link: `https://ops.example.com/approvals/${id}` }],
      origin: { layer: "gateway" },
    });
    expect(await callOlder(urls[1], { args }).then(faultIn)).toMatchObject({ params: { approval: id } });
    expect(upstream.received).toHaveLength(0);
    expect(await store.find(id)).toMatchObject<Partial<Approval>>({
      state: "pending",
      tenant: "acme",
      tool: "up__echo",
      arguments: args,
    });

    await decide(id);
    expect(isDone(await callOlder(urls[1], { args: args.replace(":", " : ") }))).toBe(true);
    expect(upstream.received).toHaveLength(1);
    expect(upstream.received[0]?.text).toContain(args);
    const third = await callOlder(urls[0], { args });
    expect(faultIn(third)).toMatchObject({ reason: "auth/approval_expired" });
    expect(idIn(third)).not.toBe(id);
    expect(upstream.received).toHaveLength(1);
  });

  it("newer clients that can open pages are sent there, and what they send back decides nothing", async () => {
    const { upstream, urls } = await startTwo();
    const args = newArguments();
    const first = await callWithPages(urls[0], args);
    const id = idIn(first);
    expect(first.json().result).toEqual({
      resultType: "input_required",
      inputRequests: {
        recourse_approval: {
          method: "elicitation/create",
          params: { mode: "url", url: `https://ops.example.com/approvals/${id}`, message: expect.any(String) },
        },
      },
    });
    const back = '"inputResponses":{"recourse_approval":{"action":"accept"}},';
    const state = await callWithPages(urls[1], args, `${back}"requestState":"approved",`);
    expect(faultIn(state).reason).toBe("protocol/request_state_invalid");
    const other = await callWithPages(urls[1], args, `${back}"approved":true,`);
    expect(faultIn(other).reason).toBe("protocol/malformed_call");
    expect(await callWithPages(urls[1], args, back).then(faultIn)).toMatchObject({
      reason: "auth/approval_required",
      params: { approval: id },
    });
    expect(upstream.received).toHaveLength(0);
    await decide(id);
    expect(isDone(await callWithPages(urls[1], args, back))).toBe(true);
    expect(upstream.received).toHaveLength(1);
    // The answer was for the gateway: the upstream asked nothing.
    expect(upstream.received[0]?.text).not.toContain("inputResponses");
    expect((await callWithPages(urls[0], args)).json().result).toMatchObject({ resultType: "input_required" });
    expect(upstream.received).toHaveLength(1);
  });

  it("newer clients that cannot open pages get the fault", async () => {
    const { urls } = await startTwo();
    const answer = await post(urls[0], bodyOf({ args: newArguments() }), headersOf());
    expect(faultIn(answer)).toMatchObject({ reason: "auth/approval_required" });
  });

  it("a denial by a person and one by the policy differ, and nothing is sent", async () => {
    const { upstream, urls } = await startTwo();
    const args = newArguments();
    await decide(idIn(await callOlder(urls[0], { args })), false);
    const denied = { kind: "forbidden", effect: "none", recourse: [{ do: "stop" }] };
    expect(await callWithPages(urls[1], args).then(faultIn)).toMatchObject({
      ...denied,
      reason: "auth/approval_denied",
    });
    const other = await startTwo({ ...APPROVALS, denied: ["up__echo"] });
    expect(await callWithPages(other.urls[0], args).then(faultIn)).toMatchObject({
      ...denied,
      reason: "auth/approval_denied_by_policy",
    });
    expect([upstream.received, other.upstream.received]).toEqual([[], []]);
  });

  it("other arguments, another tenant and another policy need approvals of their own", async () => {
    const { upstream, urls } = await startTwo();
    const changed = await startTwo({ ...APPROVALS, expiresMs: 60_000 });
    const args = newArguments();
    await decide(idIn(await callOlder(urls[0], { args })));
    const answers = [
      await callOlder(urls[0], { args: newArguments() }),
      await callOlder(urls[0], { args, credential: OTHER }),
      await callOlder(changed.urls[0], { args }),
    ];
    for (const answer of answers) expect(faultIn(answer)).toMatchObject({ reason: "auth/approval_required" });
    expect([upstream.received, changed.upstream.received]).toEqual([[], []]);
    expect(isDone(await callOlder(urls[1], { args }))).toBe(true);
  });

  it("of many calls at once, at both gateways, one approval lets one through", async () => {
    const { upstream, urls } = await startTwo();
    const args = newArguments();
    await decide(idIn(await callOlder(urls[0], { args })));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => callOlder(urls[n % 2 ? 0 : 1], { args })));
    expect(answers.filter(isDone)).toHaveLength(1);
    expect(upstream.received).toHaveLength(1);
    const others = answers.filter((answer) => !isDone(answer));
    // One call asks anew, and the others are told of that.
    expect(new Set(others.map(idIn)).size).toBe(1);
    expect(
      others.map((answer) => faultIn(answer).reason).filter((reason) => reason === "auth/approval_expired"),
    ).toEqual(["auth/approval_expired"]);
  });

  it("an approval counts again where the call never left", async () => {
    const { upstream, urls } = await startTwo();
    const args = newArguments();
    const id = idIn(await callOlder(urls[0], { args }));
    await decide(id);
    await upstream.close();
    const failed: Fault = faultIn(await callOlder(urls[0], { args }));
    expect(failed).toMatchObject({ kind: "unavailable", effect: "none" });
    expect(upstream.received).toHaveLength(0);
    await expect.poll(async () => (await store.find(id))?.state, { timeout: 20_000 }).toBe("approved");
  });

  it("no history lets more through than was approved", { timeout: 3_600_000 }, async () => {
    const { upstream, urls } = await startTwo();
    const bit = fc.constantFrom(0 as const, 1 as const);
    const call = fc.record({ do: fc.constant("call" as const), at: bit, who: bit, what: bit });
    const decision = fc.record({
      do: fc.constantFrom("approve", "approve", "deny", "expire"),
      pick: fc.nat({ max: 3 }),
    });
    const step = fc.array(fc.oneof(call, decision), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const args = [newArguments(), newArguments()] as const;
        const ids = new Map<string, string>();
        const approved: string[] = [];
        let done = 0;
        const before = upstream.received.length;
        for (const together of steps) {
          const known = [...ids.keys()];
          await Promise.all(
            together.map(async (one) => {
              if ("at" in one) {
                const answer = await callOlder(urls[one.at], {
                  args: args[one.what],
                  credential: [ACME, OTHER][one.who],
                });
                if (isDone(answer)) done += 1;
                else if (idIn(answer) !== "") ids.set(idIn(answer), `${one.who} ${one.what}`);
                // A busy machine can make a question late. Then nothing was sent, and nothing stays used up.
                else expect(faultIn(answer).reason).toBe("auth/approval_unavailable");
                return;
              }
              const id = known.at(-1 - one.pick);
              if (id === undefined) return;
              if (one.do === "expire")
                await pool.query("update gateway_approval set expires = clock_timestamp() where id = $1", [id]);
              else if ((await decide(id, one.do === "approve"))?.isDecided === true && one.do === "approve")
                approved.push(id);
            }),
          );
        }
        expect(upstream.received.length - before).toBe(done);
        // Each call that went out has used up one approval of a person, and nothing else stays used up.
        const text = "select id from gateway_approval where state = 'consumed' and id = any($1)";
        const consumed = async () => (await pool.query<{ id: string }>(text, [[...ids.keys()]])).rows;
        await expect.poll(consumed, { timeout: 20_000 }).toHaveLength(done);
        expect((await consumed()).every(({ id }) => approved.includes(id))).toBe(true);
        // A caller may have only so many that wait.
        const over = "update gateway_approval set expires = clock_timestamp() where id = any($1)";
        await pool.query(over, [[...ids.keys()]]);
      }),
      { numRuns: runs(15) },
    );
    expect(upstream.received.length).toBeGreaterThan(0);
  });
});

describe("approvals in memory", () => {
  it("work for one process", async () => {
    const upstream = await startStubUpstream();
    const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)], approvals: APPROVALS }));
    const args = newArguments();
    expect(await callOlder(gateway.url, { args }).then(faultIn)).toMatchObject({ reason: "auth/approval_required" });
    expect(upstream.received).toHaveLength(0);
  });
});
