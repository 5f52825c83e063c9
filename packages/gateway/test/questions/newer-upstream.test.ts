// Callers of the older era behind upstreams of the newer one: what a result asks for is asked on the stream of the call.
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { faultIn } from "../idempotency/support/call.ts";
import { keyed, OTHER, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { paramsIn } from "../support/params-call.ts";
import { passForKeys } from "../support/pass-for-keys.ts";
import { post } from "../support/post.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";
import { ALL_CAPABILITIES, answerQuestion, callOnStream, openSession, type StreamMessage } from "./raw-caller.ts";

type Changes = Parameters<typeof keyed>[0];

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

beforeEach(holdTime);

const FORM =
  '{"method":"elicitation/create","params":{"mode":"form","message":"Which city?","requestedSchema":{"max":1e400}}}';
const SAMPLE = '{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":10}}';
const ROOTS = '{"method":"roots/list"}';

/** An upstream that asks these questions in turn, and is done when all were answered. */
function startAsker(rounds: readonly string[]) {
  const asked = (round: number) =>
    answerWith(`{"resultType":"input_required","inputRequests":${rounds[round]},"requestState":"state ${round}"}`);
  return startStubUpstream(
    (request, response) => {
      const { requestState } = paramsIn(request.text.replaceAll("1e400", "1"));
      const round = requestState === undefined ? 0 : Number(String(requestState).split(" ")[1]) + 1;
      return (round < rounds.length ? asked(round) : answerWith(OK))(request, response);
    },
    ["pay"],
  );
}

async function world(rounds: readonly string[], changes: Changes = {}, prefix = "up__") {
  const upstream = await startAsker(rounds);
  const upstreams = [httpUpstream(upstream.url, { prefix })];
  const gateway = await startTestGateway(keyed({ upstreams, ...changes }));
  return { upstream, gateway, session: await openSession(gateway.url) };
}

const isDone = (message: StreamMessage | undefined) => JSON.stringify(message?.result).includes('"text":"ok"');
const faultOf = (message: StreamMessage | undefined) =>
  (message?.result?.["_meta"] as Record<string, { reason: string; kind: string; effect: string }> | undefined)?.[
    "recourse/fault"
  ];

describe("a result that asks for input", () => {
  it("is asked on the stream, and the answers go to the upstream with its state", async () => {
    const { upstream, gateway, session } = await world([`{"one":${FORM},"two":${SAMPLE},"three":${ROOTS}}`]);
    const call = await callOnStream(gateway.url, session, { args: '{"n":1e400}' });
    const texts = [await call.nextText(), await call.nextText(), await call.nextText()].map(String);
    const questions = texts.map((text) => JSON.parse(text) as StreamMessage);
    expect(questions.map(({ method }) => method)).toEqual([
      "elicitation/create",
      "sampling/createMessage",
      "roots/list",
    ]);
    expect(texts[0]).toContain('"message":"up: Which city?","requestedSchema":{"max":1e400}');
    expect(questions.map(({ params }) => params?.["_meta"])).toEqual(
      Array.from({ length: 3 }, () => ({ "recourse/upstream": "up" })),
    );
    expect(new Set(questions.map(({ id }) => id)).size).toBe(3);
    expect(questions[0]?.id).toMatch(/^[a-z0-9]{16}\.[\w-]{24}$/);
    const answers = [
      '"result":{"action":"accept","content":{"n":1e400}}',
      '"result":{"model":"m"}',
      '"result":{"roots":[]}',
    ];
    for (const [at, member] of answers.entries()) {
      expect((await answerQuestion(gateway.url, session, questions[at]?.id, member)).status).toBe(202);
    }
    expect(isDone(await call.next())).toBe(true);
    expect(await call.next()).toBeUndefined();
    expect(upstream.received).toHaveLength(2);
    const { text = "" } = upstream.received[1] ?? {};
    expect(text).toContain(
      '"inputResponses":{"one":{"action":"accept","content":{"n":1e400}},"two":{"model":"m"},"three":{"roots":[]}},"requestState":"state 0"',
    );
    expect(text).toContain('"arguments":{"n":1e400}');
    const { _meta: meta } = paramsIn(upstream.received[0]?.text.replaceAll("1e400", "1"));
    expect(meta).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { ...ALL_CAPABILITIES, roots: {} },
    });
  });

  it("goes on for five rounds, and no further", async () => {
    const rounds = (count: number) => Array.from({ length: count }, () => `{"city":${FORM}}`);
    for (const [count, served] of [
      [5, true],
      [6, false],
    ] as const) {
      const { upstream, gateway, session } = await world(rounds(count));
      const call = await callOnStream(gateway.url, session);
      for (let round = 0; round < 5; round++) {
        const question = await call.next();
        expect(question?.method).toBe("elicitation/create");
        await answerQuestion(gateway.url, session, question?.id);
      }
      const last = await call.next();
      expect(isDone(last)).toBe(served);
      expect(faultOf(last)?.reason).toBe(served ? undefined : "protocol/rounds_exceeded");
      expect(upstream.received).toHaveLength(6);
    }
  });

  it("asked over and over is no failure that stops the calls of others", async () => {
    const breaker = { failures: 2, pauseMs: 60_000, maxPauseMs: 60_000 };
    const { gateway, session } = await world(
      Array.from({ length: 6 }, () => `{"city":${FORM}}`),
      { breaker },
    );
    for (let calls = 0; calls < 4; calls++) {
      const call = await callOnStream(gateway.url, session);
      for (let round = 0; round < 5; round++) {
        await answerQuestion(gateway.url, session, (await call.next())?.id, '"result":{"action":"decline"}');
      }
      expect(faultOf(await call.next())?.reason).toBe("protocol/rounds_exceeded");
    }
  });

  it.each([
    ["cannot answer one of the questions", { elicitation: {} }, {}, `{"city":${FORM},"roots":${ROOTS}}`],
    ["can answer nothing", {}, {}, `{"city":${FORM}}`],
    ["reads no streams", ALL_CAPABILITIES, { accept: "application/json" }, `{"city":${FORM}}`],
  ])("is a fault for a caller that %s", async (_, capabilities, headers, asked) => {
    const { upstream, gateway } = await world([asked]);
    const session = await openSession(gateway.url, { capabilities });
    const call = await callOnStream(gateway.url, session, { headers });
    expect(faultOf(await call.next())).toMatchObject({ kind: "precondition_failed", effect: "none" });
    expect(upstream.received).toHaveLength(1);
  });

  it("that asks nothing is repeated with its state, for any caller, also for one without a session", async () => {
    const { upstream, gateway, session } = await world(["{}", `{}`]);
    const { "mcp-session-id": _, ...without } = session;
    for (const headers of [session, without]) {
      const call = await callOnStream(gateway.url, headers, { headers: { accept: "application/json" }, id: '"é 1"' });
      expect(await call.next()).toMatchObject({ id: "é 1", result: { content: [{ text: "ok" }] } });
    }
    const ids = upstream.received.map(({ text }) => (JSON.parse(text) as { readonly id: unknown }).id);
    // Each attempt is a request of its own.
    expect(ids).toEqual(["é 1", '"é 1" 1', '"é 1" 2', "é 1", '"é 1" 1', '"é 1" 2']);
    expect(upstream.received[1]?.text).toContain('"requestState":"state 0"');
    expect(upstream.received[1]?.text).not.toContain("inputResponses");
  });

  it("names the upstream in its text only where the tools of the upstream have a prefix", async () => {
    const { gateway, session } = await world([`{"city":${FORM}}`], {}, "");
    const call = await callOnStream(gateway.url, session, { tool: "pay" });
    expect((await call.next())?.params).toMatchObject({
      message: "Which city?",
      _meta: { "recourse/upstream": "up" },
    });
  });

  it.each([
    ["cancels an elicitation", FORM, '"city":{"action":"cancel"}', undefined],
    ["ends a call that needs a model", SAMPLE, undefined, "sampling/failed"],
    ["ends a call that needs roots", ROOTS, undefined, "core/precondition_failed"],
  ])("that is answered with an error %s", async (_, asked, sent, reason) => {
    const { upstream, gateway, session } = await world([`{"city":${asked}}`]);
    const call = await callOnStream(gateway.url, session);
    const question = await call.next();
    const answer = await answerQuestion(gateway.url, session, question?.id, '"error":{"code":-1,"message":"secret"}');
    expect(answer.status).toBe(202);
    const last = await call.next();
    expect(isDone(last)).toBe(sent !== undefined);
    expect(faultOf(last)?.reason).toBe(reason);
    expect(faultOf(last)?.effect).toBe(reason && "none");
    expect(JSON.stringify(last)).not.toContain("secret");
    if (sent !== undefined) expect(upstream.received[1]?.text).toContain(sent);
  });

  it("that nobody answers in time counts as cancelled, and is withdrawn", async () => {
    const { upstream, gateway, session } = await world([`{"city":${FORM}}`], { questions: { waitMs: 200 } });
    const call = await callOnStream(gateway.url, session);
    const question = await call.next();
    await pass(200);
    expect(await call.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question?.id },
    });
    expect(isDone(await call.next())).toBe(true);
    expect(upstream.received[1]?.text).toContain('"city":{"action":"cancel"}');
    expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(400);
  });

  it("does not use up the deadline of the call", async () => {
    const { gateway, session } = await world([`{"city":${FORM}}`], { deadlineMs: 1_000 });
    const call = await callOnStream(gateway.url, session);
    const question = await call.next();
    await pass(60_000);
    await answerQuestion(gateway.url, session, question?.id);
    expect(isDone(await call.next())).toBe(true);
  });

  it("ends with the call that its caller has cancelled", async () => {
    const { upstream, gateway, session } = await world([`{"city":${FORM}}`]);
    const call = await callOnStream(gateway.url, session, { id: "7" });
    const question = await call.next();
    const params = { requestId: 7 };
    await post(gateway.url, JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }), session);
    expect(faultOf(await call.next())?.reason).toBe("core/cancelled");
    expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(400);
    expect(upstream.received).toHaveLength(1);
  });
});

describe.each(["memory", "shared"] as const)("with the store %s", (mode) => {
  const open = (changes: Changes) => (mode === "memory" ? keyed(changes) : engines.shared(changes));

  it("a call keeps its key and its approval over all rounds, and its outcome is stored", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`, `{"again":${FORM}}`]);
    const approvals = { tools: ["up__pay"], denied: [], expiresMs: 600_000, link: undefined };
    const upstreams = [httpUpstream(upstream.url)];
    const gateway = await startTestGateway(open({ upstreams, approvals, admin: ADMIN }));
    const session = await openSession(gateway.url);
    const pay = () => callOnStream(gateway.url, session, { key: `order ${mode}` });
    const refused = (await (await pay()).next())?.result?.["_meta"] as Record<
      string,
      { params?: { approval: string } }
    >;
    const path = `/approvals/${refused["recourse/fault"]?.params?.approval}`;
    const admin = gateway.adminUrl ?? gateway.url;
    await ask(admin, `${path}/decision`, { method: "POST", body: { approve: true } });
    // The refused call gives its key back after its answer has gone out.
    const begin = async () => {
      for (;;) {
        const call = await pay();
        const first = await call.next();
        if (faultOf(first)?.reason !== "idempotency/in_progress") return { call, first };
      }
    };
    const { call, first } = await begin();
    for (let round = 0; round < 2; round++) {
      const question = round === 0 ? first : await call.next();
      expect(question?.method).toBe("elicitation/create");
      expect((await ask(admin, path)).json).toMatchObject({ state: "consumed" });
      // Whoever repeats the call meanwhile does not run it again.
      expect(faultOf(await (await pay()).next())?.reason).toBe("idempotency/in_progress");
      await answerQuestion(gateway.url, session, question?.id);
    }
    expect(isDone(await call.next())).toBe(true);
    await eventually(async () => expect(isDone(await (await pay()).next())).toBe(true));
    expect(upstream.received).toHaveLength(3);
  });

  it("a key does not become late while a person thinks", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`]);
    const upstreams = [httpUpstream(upstream.url, { honoursKeys: true })];
    const deadlineMs = 60_000;
    const idempotency = { mode, keepMs: 600_000 };
    const gateway = await startTestGateway(open({ upstreams, deadlineMs, idempotency }), { claimGraceMs: 0 });
    const session = await openSession(gateway.url);
    const pay = () => callOnStream(gateway.url, session, { key: `slow ${mode}` });
    const call = await pay();
    const question = await call.next();
    await (mode === "memory" ? pass(2 * deadlineMs) : passForKeys(engines.url, 2 * deadlineMs));
    expect(faultOf(await (await pay()).next())?.reason).toBe("idempotency/in_progress");
    await answerQuestion(gateway.url, session, question?.id);
    expect(isDone(await call.next())).toBe(true);
    expect(upstream.received).toHaveLength(2);
  });

  it("a call with a key goes on when its caller has left", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`]);
    const gateway = await startTestGateway(open({ upstreams: [httpUpstream(upstream.url)] }));
    const session = await openSession(gateway.url);
    const pay = () => callOnStream(gateway.url, session, { key: `left ${mode}` });
    const call = await pay();
    await call.next();
    call.leave();
    await eventually(() => expect(upstream.received).toHaveLength(2));
    expect(upstream.received[1]?.text).toContain('"city":{"action":"cancel"}');
    await eventually(async () => expect(isDone(await (await pay()).next())).toBe(true));
    expect(upstream.received).toHaveLength(2);
  });
});

describe("answers", () => {
  it("of strangers, doubled, late and made up ones are refused alike, and the right one is taken", async () => {
    const { upstream, gateway, session } = await world([`{"city":${FORM}}`]);
    const call = await callOnStream(gateway.url, session);
    const { id } = (await call.next()) ?? {};
    const other = await openSession(gateway.url, { credential: OTHER });
    const second = await openSession(gateway.url);
    const { "mcp-session-id": _, ...without } = session;
    const refused = [
      await answerQuestion(gateway.url, other, id),
      await answerQuestion(gateway.url, second, id),
      await answerQuestion(gateway.url, session, `${String(id).slice(0, -1)}!`),
      await answerQuestion(gateway.url, session, `${String(id).split(".")[0]}.${"a".repeat(24)}`),
      await answerQuestion(gateway.url, session, 7),
      await answerQuestion(gateway.url, session, ""),
    ];
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
    const bodies = refused.map((answer) => {
      const fault = faultIn(answer);
      return JSON.stringify([answer.json().id, fault.reason, fault.message, fault.issues]);
    });
    expect(new Set(bodies).size).toBe(1);
    expect((await answerQuestion(gateway.url, without, id)).status).toBe(400);
    expect(upstream.received).toHaveLength(1);
    expect((await answerQuestion(gateway.url, session, id)).status).toBe(202);
    expect((await answerQuestion(gateway.url, session, id)).status).toBe(400);
    expect(isDone(await call.next())).toBe(true);
    expect((await answerQuestion(gateway.url, session, id)).status).toBe(400);
  });

  it.each(['"result":7', '"result":[]', '"result":null', '"error":"no"', '"error":{"message":"x"}', '"error":null'])(
    "that are none end the question: %s",
    async (member) => {
      const { upstream, gateway, session } = await world([`{"city":${FORM}}`]);
      const call = await callOnStream(gateway.url, session);
      const { id } = (await call.next()) ?? {};
      expect((await answerQuestion(gateway.url, session, id, member)).status).toBe(400);
      expect(isDone(await call.next())).toBe(true);
      expect(upstream.received[1]?.text).toContain('"city":{"action":"cancel"}');
    },
  );

  it.each([
    '"result":{},"error":{"code":1,"message":"x"}',
    '"result":{},"result":{"action":"accept"}',
    '"res\\u0075lt":{}',
    '"result":{},"method":"ping"',
    `"result":${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
  ])("that can be read in two ways are refused, and the question stays open: %s", async (member) => {
    const { gateway, session } = await world([`{"city":${FORM}}`]);
    const call = await callOnStream(gateway.url, session);
    const { id } = (await call.next()) ?? {};
    expect((await answerQuestion(gateway.url, session, id, member)).status).toBe(400);
    expect((await answerQuestion(gateway.url, session, id)).status).toBe(202);
    expect(isDone(await call.next())).toBe(true);
  });

  it("may come in at any replica, in the bytes of the caller", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`]);
    const options = engines.shared({ upstreams: [httpUpstream(upstream.url)] });
    const [one, two] = [await startTestGateway(options), await startTestGateway(options)];
    const session = await openSession(two.url);
    const call = await callOnStream(one.url, session);
    const { id } = (await call.next()) ?? {};
    const other = await openSession(one.url, { credential: OTHER });
    expect((await answerQuestion(two.url, other, id)).status).toBe(400);
    const large = `"result":{"action":"accept","content":{"n":1e400,"é":"${'\\"'.repeat(1_000_000)}"}}`;
    expect((await answerQuestion(two.url, session, id, large)).status).toBe(202);
    expect((await answerQuestion(two.url, session, id, large)).status).toBe(400);
    expect(isDone(await call.next())).toBe(true);
    expect(upstream.received[1]?.text).toContain(large.slice('"result":'.length));
  });

  it("that come many times at once, at all replicas, are taken once", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`]);
    const options = engines.shared({ upstreams: [httpUpstream(upstream.url)] });
    const [one, two] = [await startTestGateway(options), await startTestGateway(options)];
    const session = await openSession(one.url);
    const call = await callOnStream(one.url, session);
    const { id } = (await call.next()) ?? {};
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => answerQuestion((at % 2 === 0 ? one : two).url, session, id)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 39 }, () => 400)]);
    expect(isDone(await call.next())).toBe(true);
    expect(upstream.received).toHaveLength(2);
  });

  it("that are made up count as refused messages", async () => {
    const rate = { perSecond: 0.001, burst: 5 };
    const { gateway, session } = await world([`{"city":${FORM}}`], {
      limits: { ...testConfig().limits, key: rate },
    });
    const call = await callOnStream(gateway.url, session);
    const { id } = (await call.next()) ?? {};
    const statuses: number[] = [];
    for (let at = 0; at < 8; at++) statuses.push((await answerQuestion(gateway.url, session, "made.up")).status);
    expect(statuses.slice(0, 4)).toEqual([400, 400, 400, 400]);
    expect(statuses.slice(5)).toEqual([429, 429, 429]);
    expect(id).toBeDefined();
  });

  it("count against no limit of calls, and are taken after the configuration was read again", async () => {
    const limits = { ...testConfig().limits, key: { perSecond: 0.001, burst: 1 } };
    const upstream = await startAsker(Array.from({ length: 4 }, () => `{"city":${FORM}}`));
    const config = testConfig({ drainMs: 0, ...keyed({ upstreams: [httpUpstream(upstream.url)], limits }) });
    const gateway = await startTestGateway(config);
    const session = await openSession(gateway.url);
    const call = await callOnStream(gateway.url, session);
    for (let round = 0; round < 4; round++) {
      const question = await call.next();
      await gateway.reload({ ...config, name: `gateway ${round}` });
      expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(202);
    }
    expect(isDone(await call.next())).toBe(true);
  });

  it("for a replica that is gone are told so", async () => {
    const upstream = await startAsker([`{"city":${FORM}}`]);
    const gateway = await startTestGateway(engines.shared({ upstreams: [httpUpstream(upstream.url)] }));
    const session = await openSession(gateway.url);
    const answer = await answerQuestion(gateway.url, session, `${"a".repeat(16)}.${"b".repeat(24)}`);
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
  });
});
