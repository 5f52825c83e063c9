import type { Fault } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import { memoryIdempotency } from "@recourse/core/server";
import { describe, expect, it } from "vitest";
import { callOf } from "../../test/catalog/support/calls.ts";
import { httpUpstream } from "../../test/support/config.ts";
import { createCallApprovals } from "../approvals/call-approvals.ts";
import { memoryApprovals } from "../approvals/memory-approvals.ts";
import { sha256Hex } from "../call/binding.ts";
import type { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import { beginBoundCall } from "./begin.ts";

const KEY = sha256Hex("key");
const DIGEST = sha256Hex("{}");
const OWNER = sha256Hex("owner");
const CONFIG = { tools: ["*"], denied: [], expiresMs: 60_000, link: undefined };

/** The step never sends anything. */
const UPSTREAM: Omit<Upstream, "options"> = {
  ready: () => core.internal.fault(),
  send: () => Promise.reject(new Error("it was sent")),
  about: undefined,
  close: async () => {},
};

interface CallFacts {
  readonly keyed?: boolean;
  readonly approval?: boolean;
  readonly honoured?: boolean;
  readonly signal?: AbortSignal;
}

function world() {
  const idempotency = { ...memoryIdempotency(), close: async () => {} };
  const approvals = memoryApprovals();
  const rules = createCallApprovals(CONFIG, approvals);
  const now = () => performance.now();
  const step = beginBoundCall({ idempotency, approvals: rules, now });

  function boundCall({ keyed = true, approval = false, honoured = false, signal }: CallFacts = {}): Call {
    const call = callOf("tools/call", {}, signal === undefined ? {} : { signal });
    call.id = "7";
    const options = httpUpstream("http://127.0.0.1", { honoursKeys: honoured });
    call.route = { kind: "upstream", upstream: { ...UPSTREAM, options }, target: "pay", tool: undefined };
    const request = approval && call.caller !== undefined ? rules?.requestFor(call.caller, "pay", "{}") : undefined;
    if (request !== undefined && "reason" in request) throw new Error("refused");
    call.binding = {
      key: keyed ? KEY : undefined,
      digest: DIGEST,
      owner: OWNER,
      arguments: Buffer.from("{}"),
      approval: request,
    };
    return call;
  }

  async function approve(): Promise<void> {
    const [pending] = await approvals.list({ state: "pending", limit: 1 });
    await approvals.decide({ id: pending?.id ?? "", approve: true, by: "eve" });
  }

  const end = (call: Call, sent?: Fault) => {
    for (const run of call.afterwards ?? []) run(sent);
  };
  const stateOf = async () => (await approvals.list({ limit: 1 }))[0]?.state;
  return { idempotency, step, boundCall, approve, end, stateOf, find: () => idempotency.find(KEY, DIGEST) };
}

const RESULT = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"content":[]}}');
const REFUSAL = transport.breaker_open.fault();

describe("the end of a call", () => {
  it("lets an upstream be asked again that honours keys, unless it is known what was changed", async () => {
    const { step, boundCall, end, find } = world();
    const call = boundCall({ honoured: true });
    await step(call);
    end(call, core.internal.fault({}, { effect: "possible" }));
    await expect.poll(find).toEqual({ state: "absent" });
    const again = boundCall({ honoured: true });
    await step(again);
    end(again, core.internal.fault({}, { effect: "applied" }));
    await expect.poll(find).toMatchObject({ state: "settled" });
  });
});

describe("a call that the breaker refuses", () => {
  it("is refused where its key cannot be looked up, or it has none", async () => {
    const { idempotency, boundCall } = world();
    const away = { ...idempotency, find: () => Promise.reject(new Error("away")) };
    for (const keyed of [true, false]) {
      const call = boundCall({ keyed });
      call.refusal = REFUSAL;
      expect(await beginBoundCall({ idempotency: away, approvals: undefined, now: () => 0 })(call)).toBe(REFUSAL);
    }
  });
});

describe("a call that needs an approval", () => {
  it("leaves its key free until it is approved, and then runs once", async () => {
    const { step, boundCall, approve, end, find, stateOf } = world();
    expect(await step(boundCall({ approval: true }))).toMatchObject({ reason: "auth/approval_required" });
    await expect.poll(find).toEqual({ state: "absent" });
    await approve();
    const call = boundCall({ approval: true });
    expect(await step(call)).toBeUndefined();
    expect(await stateOf()).toBe("consumed");
    call.reply = { kind: "answer", status: 200, header: () => undefined, body: RESULT };
    call.answer = RESULT;
    end(call);
    await expect.poll(find).toMatchObject({ state: "settled" });
    // What is stored needs no approval.
    const again = boundCall({ approval: true });
    expect(await step(again)).toBeUndefined();
    expect(again.answer).toBeDefined();
  });

  it.each([
    ["never sent", undefined, "approved"],
    ["refused by the upstream", core.overloaded.fault({}, { effect: "none" }), "consumed"],
  ] as const)("and was %s: the approval is %s", async (_, fault, state) => {
    const { step, boundCall, approve, end, stateOf, find } = world();
    await step(boundCall({ approval: true }));
    await approve();
    const call = boundCall({ approval: true });
    await step(call);
    if (fault !== undefined) {
      call.wasSent = true;
      call.reply = { kind: "answer", status: 503, header: () => undefined, body: Buffer.alloc(0) };
    }
    end(call, fault ?? transport.not_sent.fault());
    await expect.poll(stateOf).toBe(state);
    await expect.poll(find).toEqual({ state: "absent" });
  });

  it("is refused where there is no store for approvals", async () => {
    const { idempotency, boundCall, find } = world();
    const call = boundCall({ approval: true });
    const step = beginBoundCall({ idempotency, approvals: createCallApprovals(CONFIG, undefined), now: () => 0 });
    expect(await step(call)).toMatchObject({ reason: "auth/approval_unavailable", effect: "none" });
    await expect.poll(find).toEqual({ state: "absent" });
  });
});

it("does not run for a caller that has left, and frees the key", async () => {
  const { step, boundCall, find } = world();
  expect(await step(boundCall({ signal: AbortSignal.abort() }))).toMatchObject({ kind: "cancelled", effect: "none" });
  await expect.poll(find).toEqual({ state: "absent" });
});

it("gives a fault of the store itself, and of a store that is away says that nothing has run", async () => {
  const { idempotency, boundCall } = world();
  const failing = (cause: unknown) =>
    beginBoundCall({
      idempotency: { ...idempotency, begin: () => Promise.reject(cause) },
      approvals: undefined,
      now: () => 0,
    })(boundCall());
  const limited = core.rate_limited({}, { retry: { allowed: true, afterMs: 5 } });
  expect(await failing(limited)).toMatchObject({ kind: "rate_limited", effect: "none", retry: { afterMs: 5 } });
  expect(await failing(new Error("away"))).toMatchObject({ kind: "unavailable", effect: "none" });
});
