import { isFault } from "@recourse/core";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../call/binding.ts";
import type { ApprovalStore, ConsumeAnswer } from "./approvals.ts";
import { canAskByUrl, createApprovalRules, type RuleFacts, type TakeOptions, takeApproval } from "./call-approvals.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const EXPIRES = "2026-11-16T12:00:00.000Z";
const LINK = "https://ops.example.com/approvals/{id}";
const PAGE = `https://ops.example.com/approvals/${ID}`;
const REQUEST: ApprovalRequest = {
  binding: "00".repeat(32),
  tenant: "t",
  caller: "c",
  tool: "shop__refund",
  arguments: "{}",
  policy: "p",
  expiresMs: 1_000,
};

function take(answer: ConsumeAnswer | Promise<ConsumeAnswer>, options: Partial<TakeOptions> = {}, request = REQUEST) {
  const givenBack: string[] = [];
  const store: Pick<ApprovalStore, "consume" | "giveBack"> = {
    consume: async () => answer,
    async giveBack(id, call) {
      givenBack.push(`${id} ${call}`);
    },
  };
  const { signal } = new AbortController();
  const all = { call: "c1", link: LINK, canAskByUrl: false, signal, ...options };
  return { taken: takeApproval(store, request, all), givenBack };
}

describe("takeApproval", () => {
  it("gives the id of an approval that it has used up", async () => {
    await expect(take({ state: "consumed", id: ID }).taken).resolves.toEqual({ id: ID });
  });

  it.each([
    ["pending", "auth/approval_required"],
    ["expired", "auth/approval_expired"],
  ] as const)("%s: a fault with id, link and expiry", async (state, reason) => {
    await expect(take({ state, id: ID, expiresAt: EXPIRES }).taken).resolves.toMatchObject({
      reason,
      kind: "approval_required",
      effect: "none",
      params: { approval: ID, expiresAt: EXPIRES },
      recourse: [{ do: "ask_user", approval: ID, link: PAGE }],
    });
    const bare = await take({ state, id: ID, expiresAt: EXPIRES }, { link: undefined, canAskByUrl: true }).taken;
    expect(bare).toMatchObject({ reason, recourse: [{ do: "ask_user", approval: ID }] });
  });

  it.each(["pending", "expired"] as const)("%s: sends a caller that knows it to the page", async (state) => {
    const taken = await take({ state, id: ID, expiresAt: EXPIRES }, { canAskByUrl: true }).taken;
    expect(JSON.parse("inputRequired" in taken ? taken.inputRequired : "")).toEqual({
      resultType: "input_required",
      inputRequests: {
        recourse_approval: {
          method: "elicitation/create",
          params: { mode: "url", url: PAGE, message: expect.stringContaining(ID) },
        },
      },
    });
  });

  it("too many that wait: a limit with a wait", async () => {
    await expect(take({ state: "full", of: "calls", waitMs: 1_234.5 }).taken).resolves.toMatchObject({
      kind: "rate_limited",
      effect: "none",
      retry: { allowed: true, afterMs: 1_235 },
      limits: [{ policy: "approvals", remaining: 0 }],
    });
  });

  it("store away: not available, nothing was done, with a wait", async () => {
    await expect(take(Promise.reject(new Error("away"))).taken).resolves.toMatchObject({
      reason: "auth/approval_unavailable",
      kind: "unavailable",
      effect: "none",
      recourse: [{ do: "retry", afterMs: 1_000 }],
    });
  });

  it("asks no person about what none can read", async () => {
    const long = { ...REQUEST, arguments: `"${"é".repeat(40_000)}"` };
    const taken = await take({ state: "consumed", id: ID }, {}, long).taken;
    expect(taken).toMatchObject({ reason: "content/too_large", params: { actualSize: 80_002, maxSize: 65_536 } });
  });

  it("gives back what is consumed after the caller left", async () => {
    const leaving = new AbortController();
    let answer = (_: ConsumeAnswer) => {};
    const late = new Promise<ConsumeAnswer>((resolve) => {
      answer = resolve;
    });
    const { taken, givenBack } = take(late, { signal: leaving.signal });
    leaving.abort();
    const fault = await taken;
    expect(isFault(fault) && fault).toMatchObject({ kind: "cancelled", effect: "none" });
    expect(givenBack).toEqual([]);
    answer({ state: "consumed", id: ID });
    await expect.poll(() => givenBack).toEqual([`${ID} c1`]);
  });
});

describe("canAskByUrl", () => {
  const meta = (elicitation: unknown) => ({ "io.modelcontextprotocol/clientCapabilities": { elicitation } });
  it.each([
    ["announces pages", { meta: meta({ url: {} }), params: {} }, true],
    ["announces both", { meta: meta({ url: {}, form: {} }), params: {} }, true],
    ["announces forms only", { meta: meta({ form: {} }), params: {} }, false],
    ["announces it the older way", { meta: meta({}), params: {} }, false],
    ["announces nothing", { meta: {}, params: undefined }, false],
    ["writes something else", { meta: meta({ url: true }), params: {} }, false],
    ["was there before", { meta: meta({ url: {} }), params: { inputResponses: { recourse_approval: {} } } }, false],
    ["answers others", { meta: meta({ url: {} }), params: { inputResponses: { city: {} } } }, true],
  ])("a client that %s", (_, message, expected) => {
    expect(canAskByUrl(message, "2026-07-28")).toBe(expected);
    expect(canAskByUrl(message, "2025-11-25")).toBe(false);
  });
});

const CONFIG = { tools: ["shop__refund", "crm__*"], denied: ["shop__drop_*"], expiresMs: 60_000, link: undefined };
const FACTS: RuleFacts = { caller: { id: "a", tenant: "t" }, tool: "shop__refund", arguments: '{"n":1}' };

describe("createApprovalRules", () => {
  it("asks nobody where no rule is configured", () => {
    const rules = createApprovalRules(undefined);
    expect(rules.requestFor(FACTS)).toBeUndefined();
    expect(rules.needs("shop__refund")).toBe(false);
  });

  it.each([
    ["shop__refund", "asked"],
    ["crm__anything", "asked"],
    ["shop__drop_all", "denied"],
    ["shop__list", undefined],
  ])("%s: %s", (tool, expected) => {
    const rules = createApprovalRules(CONFIG);
    const request = rules.requestFor({ ...FACTS, tool });
    expect(typeof request === "object" ? "asked" : request).toBe(expected);
    expect(rules.needs(tool)).toBe(expected !== undefined);
  });

  it("refuses a tool that both lists name", () => {
    expect(createApprovalRules({ ...CONFIG, denied: ["*"] }).requestFor(FACTS)).toBe("denied");
  });

  it("shows what is asked for", () => {
    expect(createApprovalRules(CONFIG).requestFor(FACTS)).toEqual({
      binding: expect.stringMatching(/^[0-9a-f]{64}$/),
      policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      tenant: "t",
      caller: "a",
      tool: "shop__refund",
      arguments: '{"n":1}',
      expiresMs: 60_000,
    });
  });

  it("binds to each part, and to the borders between them", () => {
    const bindingOf = (facts: Partial<RuleFacts>, config: Partial<typeof CONFIG> = {}) => {
      const request = createApprovalRules({ ...CONFIG, ...config }).requestFor({ ...FACTS, ...facts });
      return typeof request === "object" ? request.binding : request;
    };
    const bindings = [
      bindingOf({}),
      bindingOf({ caller: { id: "b", tenant: "t" } }),
      bindingOf({ caller: { id: "a", tenant: "u" } }),
      bindingOf({ caller: { id: "", tenant: "ta" } }),
      bindingOf({ caller: { id: "ta", tenant: "" } }),
      bindingOf({ tool: "crm__x" }),
      bindingOf({ arguments: '{"n":2}' }),
      bindingOf({ tool: 'crm__","{}', arguments: "" }),
      bindingOf({ tool: "crm__", arguments: '","{}' }),
      bindingOf({}, { expiresMs: 60_001 }),
      bindingOf({}, { tools: ["shop__*"] }),
      bindingOf({}, { denied: [] }),
    ];
    expect(new Set(bindings).size).toBe(bindings.length);
    expect(bindings).not.toContain(undefined);
    // The page on which people decide is not a rule.
    expect(bindingOf({}, { link: "https://ops.example.com/{id}" as never })).toBe(bindings[0]);
  });
});
