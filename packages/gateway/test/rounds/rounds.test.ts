// Calls whose upstream asks for input: the answers reach it, and nobody else's do.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { callOlder, faultIn, headersOf } from "../idempotency/support/call.ts";
import { keyed, OTHER, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callWithParams, type ParamsCall, paramsIn, stateIn } from "../support/params-call.ts";
import { post, type RawAnswer } from "../support/post.ts";
import { type AskingOptions, STATE, startAskingUpstream } from "./asking-upstream.ts";

const PAY = { name: '"up__pay"', arguments: '{"to":"ACME","n":1e400}' };
/** A key that no other test uses. */
let used = 0;
const newKey = () => `"recourse/call":{"key":"order ${++used}"}`;
const RESPONSES = '{"city":{"action":"accept","content":{"city":"Rome","n":12345678901234567890}}}';
const APPROVALS = { tools: ["up__pay"], denied: [], expiresMs: 600_000, link: undefined };

type Changes = Parameters<typeof keyed>[0];

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

/** A caller asks one replica and answers at another; in memory there is only one. */
const MODES = {
  memory: async (changes: Changes) => {
    const gateway = await startTestGateway(keyed(changes));
    return [gateway, gateway] as const;
  },
  shared: async (changes: Changes) => {
    const options = engines.shared(changes);
    return [await startTestGateway(options), await startTestGateway(options)] as const;
  },
};

async function world(mode: keyof typeof MODES, changes: Changes = {}, asking: AskingOptions = {}) {
  const upstream = await startAskingUpstream(asking);
  const upstreams = [httpUpstream(upstream.url), httpUpstream(upstream.url, { name: "two", prefix: "two__" })];
  const [one, two] = await MODES[mode]({ upstreams, ...changes });
  return { upstream, one, two };
}

/** The params of a call that answers. */
const answering = (state: string, params: Readonly<Record<string, string>> = PAY, responses = RESPONSES) => ({
  ...params,
  inputResponses: responses,
  requestState: JSON.stringify(state),
});

const isDone = (answer: RawAnswer) => answer.text.includes('"text":"ok"');
const reasonOf = (answer: RawAnswer) => faultIn(answer).reason;

describe.each(Object.keys(MODES) as (keyof typeof MODES)[])("a round with the store %s", (mode) => {
  it.each([
    ["without a key", undefined],
    ["with a key", newKey()],
  ] as const)("brings the answers and the state of the upstream to it, %s", async (_, meta) => {
    const { upstream, one, two } = await world(mode);
    const call: ParamsCall = { params: PAY, ...(meta !== undefined && { meta }) };
    const state = stateIn(await callWithParams(one.url, call));
    expect(state).not.toBe(STATE);
    expect(isDone(await callWithParams(two.url, { ...call, params: answering(state) }))).toBe(true);
    const { text } = upstream.received[1] ?? { text: "" };
    expect(text).toContain(`"inputResponses":${RESPONSES}`);
    const { _meta, ...params } = paramsIn(text.replaceAll("1e400", "1"));
    expect(params).toEqual({
      name: "pay",
      arguments: { n: 1, to: "ACME" },
      inputResponses: expect.anything(),
      requestState: STATE,
    });
  });

  it("is open for the same call of the same caller only", async () => {
    const { upstream, one, two } = await world(mode);
    const meta = newKey();
    const state = stateIn(await callWithParams(one.url, { params: PAY, meta }));
    const sent = upstream.received.length;
    const other = (changes: ParamsCall) =>
      callWithParams(two.url, { params: answering(state), meta, ...changes }).then(reasonOf);
    expect(
      await Promise.all([
        other({ credential: OTHER }),
        other({ meta: newKey() }),
        other({ meta: '"progressToken":1' }),
        other({ params: answering(state, { ...PAY, arguments: '{"to":"MALLORY","n":1e400}' }) }),
        other({ params: answering(state, { ...PAY, arguments: '{"to":"ACME","n":1e401}' }) }),
        other({ params: answering(state, { ...PAY, name: '"up__other"' }), target: "up__other" }),
        other({ params: answering(state, { ...PAY, name: '"two__pay"' }), target: "two__pay" }),
        other({ params: answering(STATE) }),
        other({ params: answering(`${state}1`) }),
        other({ params: answering(state.replace(STATE, "step 2")) }),
        other({ params: answering(state.replace(/^r1\.1\.\d+/, "r1.1.99999999999")) }),
        other({ params: { ...answering(state), requestState: "{}" } }),
        other({ params: { ...PAY, inputResponses: RESPONSES } }),
        other({ params: answering(state, PAY, "[]") }),
      ]),
    ).toEqual(Array.from({ length: 14 }, () => "protocol/request_state_invalid"));
    expect(upstream.received).toHaveLength(sent);
    expect(isDone(await callWithParams(two.url, { params: answering(state), meta }))).toBe(true);
  });

  it("uses one approval and one key, however many rounds there are", async () => {
    const { upstream, one, two } = await world(mode, { approvals: APPROVALS, admin: ADMIN });
    const call: ParamsCall = { params: PAY, meta: newKey() };
    const { approval } = faultIn(await callWithParams(one.url, call)).params ?? {};
    const path = `/approvals/${String(approval)}`;
    const admin = one.adminUrl ?? one.url;
    await ask(admin, `${path}/decision`, { method: "POST", body: { approve: true } });
    const state = stateIn(await callWithParams(one.url, call));
    // Nothing was done yet, so the approval still counts, for this call alone.
    expect((await ask(admin, path)).json).toMatchObject({ state: "approved" });
    const again = stateIn(await callWithParams(two.url, { ...call, params: answering(state, PAY, '{"no":{}}') }));
    const last = { ...call, params: answering(again) };
    const answers = await Promise.all([callWithParams(one.url, last), callWithParams(two.url, last)]);
    expect(answers.filter(isDone).length).toBeGreaterThan(0);
    expect((await ask(admin, path)).json).toMatchObject({ state: "consumed" });
    // The outcome is stored; without the key a person is asked again.
    await expect.poll(async () => isDone(await callWithParams(one.url, last))).toBe(true);
    const { meta: _, ...unkeyed } = call;
    expect(reasonOf(await callWithParams(two.url, unkeyed))).toBe("auth/approval_expired");
    expect(upstream.received).toHaveLength(3);
  });
});

describe("the state of a round", () => {
  it.each([
    ["none", undefined],
    ["one that is no text", "7"],
    ["an empty one", '""'],
  ])("is there where the upstream gives %s, and the upstream gets its own again", async (_, given) => {
    const { upstream, one } = await world("memory", {}, { state: given });
    const state = stateIn(await callWithParams(one.url, { params: PAY }));
    await callWithParams(one.url, { params: answering(state) });
    expect(paramsIn(upstream.received[1]?.text.replaceAll("1e400", "1"))["requestState"]).toBe(
      given === '""' ? "" : undefined,
    );
  });

  it("is the signed one, however often the upstream writes it", async () => {
    const more = '"requestState":"one","request\\u0053tate":"two",';
    const { one } = await world("memory", {}, { more, state: '"three"' });
    const answer = await callWithParams(one.url, { params: PAY });
    expect(answer.text).not.toContain('"one"');
    expect(answer.text).not.toContain('"two"');
    expect(isDone(await callWithParams(one.url, { params: answering(stateIn(answer)) }))).toBe(true);
  });

  it("counts for a day", async () => {
    const upstream = await startAskingUpstream();
    let nowMs = Date.now();
    const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }), {
      testing: { clock: { now: () => nowMs } },
    });
    const state = stateIn(await callWithParams(gateway.url, { params: PAY }));
    nowMs += 24 * 3_600_000 - 1_000;
    expect(isDone(await callWithParams(gateway.url, { params: answering(state) }))).toBe(true);
    nowMs += 3_000;
    expect(reasonOf(await callWithParams(gateway.url, { params: answering(state) }))).toBe(
      "protocol/request_state_invalid",
    );
  });

  it("counts after the configuration was read again", async () => {
    const upstream = await startAskingUpstream();
    const config = testConfig({ drainMs: 0, ...keyed({ upstreams: [httpUpstream(upstream.url)] }) });
    const gateway = await startTestGateway(config);
    const state = stateIn(await callWithParams(gateway.url, { params: PAY }));
    await gateway.reload({ ...config, name: "another" });
    expect(isDone(await callWithParams(gateway.url, { params: answering(state) }))).toBe(true);
  });
});

it("a caller of the older era gets a fault, and its answers open nothing", async () => {
  const { upstream, one } = await world("memory");
  const fault = faultIn(await callOlder(one.url, { tool: "up__pay", args: '{"to":"ACME"}' }));
  expect(fault).toMatchObject({ kind: "precondition_failed" });
  expect(upstream.received).toHaveLength(1);
  const params = `{"name":"up__pay","arguments":{},"inputResponses":${RESPONSES},"requestState":"x"}`;
  const { authorization = "" } = headersOf();
  const answer = await post(one.url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
    authorization,
  });
  expect(reasonOf(answer)).toBe("protocol/request_state_invalid");
  expect(upstream.received).toHaveLength(1);
});
