// One gateway that keeps keys in its memory.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Incident } from "@recourse/core/server";
import { answerJson, startUpstream } from "@recourse/test-kit/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { post } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, sendJson, startStubUpstream } from "../support/stub-upstream.ts";
import { bodyOf, callKeyed, callOlder, faultIn, headersOf, keyIn } from "./support/call.ts";
import { keyed, OTHER } from "./support/replicas.ts";

const BIG = '{"n":12345678901234567890,"f":1e400,"z":1.10}';

/** No call takes so long, also on a machine that stands still for a while. */
const PATIENT_MS = 600_000;

/** A gateway with one upstream that answers as given. */
async function world(answer: StubAnswer = answerWith(OK), changes: Parameters<typeof keyed>[0] = {}) {
  const upstream = await startStubUpstream(answer);
  const incidents: Incident[] = [];
  const upstreams = [httpUpstream(upstream.url, { timeoutMs: PATIENT_MS })];
  const idempotency = { keepMs: PATIENT_MS };
  const gateway = await startTestGateway(keyed({ upstreams, deadlineMs: PATIENT_MS, idempotency, ...changes }), {
    sink: (incident) => void incidents.push(incident),
  });
  return { upstream, incidents, gateway, url: gateway.url };
}

describe("a call with a key", () => {
  it("runs once, and its result is given again byte for byte, with the id of who asks", async () => {
    const { upstream, url } = await world(
      answerWith(`{"resultType":"complete","structuredContent":${BIG},"content":[]}`),
    );
    const first = await callKeyed(url, { key: '"a"', id: "1" });
    const second = await callKeyed(url, { key: '"a"', id: '"two"' });
    expect(first.text).toContain(BIG);
    expect(second.text).toBe(first.text.replace('"id":1', '"id":"two"'));
    expect(upstream.received).toHaveLength(1);
  });

  it("sends sorted arguments with numbers as they were written", async () => {
    const { upstream, url } = await world();
    await callKeyed(url, {
      key: '"a"',
      args: '{ "f" : 1e400, "b":{"y":1.10,"x":"\\u0061"}, "a":12345678901234567890 }',
    });
    expect(upstream.received[0]?.text).toContain(
      '"arguments":{"a":12345678901234567890,"b":{"x":"a","y":1.10},"f":1e400}',
    );
    await callKeyed(url, { args: '{ "f" : 1e400, "a":1 }' });
    expect(upstream.received[1]?.text).toContain('"arguments":{ "f" : 1e400, "a":1 }');
  });

  it("is the same call however its arguments are written, and another one with others", async () => {
    const { upstream, url } = await world();
    await callKeyed(url, { key: '"a"', args: '{"a":1,"b":[true,null]}' });
    const same = await callKeyed(url, { key: '"a"', args: '{ "b": [ true, null ], "\\u0061": 1 }' });
    expect(same.json().result).toEqual(JSON.parse(OK));
    const other = await callKeyed(url, { key: '"a"', args: '{"a":2,"b":[true,null]}' });
    expect(faultIn(other).reason).toBe("idempotency/key_reused");
    expect(upstream.received).toHaveLength(1);
  });

  it("is another caller's with the same key, here and upstream", async () => {
    const { upstream, url } = await world();
    await callKeyed(url, { key: '"a"' });
    await callKeyed(url, { key: '"a"', credential: OTHER });
    await callKeyed(url, { key: '"b"' });
    const keys = upstream.received.map(({ text }) => keyIn(text));
    expect(new Set(keys).size).toBe(3);
    expect(keys).not.toContain("a");
  });

  it("is told of the first while that runs", async () => {
    const gate = Promise.withResolvers<void>();
    const { upstream, url } = await world(async (request, response) => {
      await gate.promise;
      await answerWith(OK)(request, response);
    });
    const first = callKeyed(url, { key: '"a"' });
    await expect.poll(() => upstream.received.length).toBe(1);
    const fault = faultIn(await callKeyed(url, { key: '"a"' }));
    expect(fault).toMatchObject({ reason: "idempotency/in_progress", effect: "possible", retry: { allowed: true } });
    expect(fault.retry?.afterMs).toBeLessThanOrEqual(1_000);
    gate.resolve();
    expect((await first).json().result).toEqual(JSON.parse(OK));
  });

  it("gets a stored failure with its incident, which is reported once", async () => {
    const { upstream, incidents, url } = await world((_request, response) => sendJson(response, "oops", 500));
    const first = faultIn(await callKeyed(url, { key: '"a"' }));
    const second = faultIn(await callKeyed(url, { key: '"a"' }));
    expect(first.effect).toBe("possible");
    expect(first.incident).toBeDefined();
    expect(second).toEqual(first);
    expect(incidents).toHaveLength(1);
    expect(upstream.received).toHaveLength(1);
  });

  it("runs again where the first has changed nothing", async () => {
    const refused = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"no"}}';
    let calls = 0;
    const { upstream, url } = await world((request, response) => {
      calls += 1;
      if (calls > 1) return answerWith(OK)(request, response);
      return sendJson(response, refused.replace("$ID", request.id));
    });
    expect(faultIn(await callKeyed(url, { key: '"a"' })).effect).toBe("none");
    expect((await callKeyed(url, { key: '"a"' })).json().result).toEqual(JSON.parse(OK));
    expect(upstream.received).toHaveLength(2);
  });

  it("runs again after it asked for input", async () => {
    const ask =
      '{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"?"}}}}';
    const { upstream, url } = await world(answerWith(ask));
    for (const id of ["1", "2"]) {
      const answer = await callKeyed(url, { key: '"a"', id });
      expect(answer.json().result).toMatchObject({ resultType: "input_required" });
    }
    expect(upstream.received).toHaveLength(2);
  });

  it("learns that a long result was not kept", async () => {
    const { upstream, url } = await world(answerWith(`{"content":[{"type":"text","text":"${"x".repeat(70_000)}"}]}`));
    expect((await callKeyed(url, { key: '"a"' })).status).toBe(200);
    const fault = faultIn(await callKeyed(url, { key: '"a"' }));
    expect(fault).toMatchObject({ reason: "idempotency/outcome_not_kept", effect: "applied" });
    expect(upstream.received).toHaveLength(1);
  });

  it("ends and is stored although its caller goes away; without a key it is aborted", async () => {
    const gate = Promise.withResolvers<void>();
    const aborted: boolean[] = [];
    const { upstream, url } = await world(async (request, response) => {
      const at = aborted.push(false) - 1;
      response.once("close", () => {
        aborted[at] = !response.writableFinished;
      });
      await gate.promise;
      await answerWith(OK)(request, response);
    });
    for (const key of ['"a"', undefined]) {
      const leaving = new AbortController();
      const left = fetch(url, {
        method: "POST",
        headers: headersOf(),
        body: bodyOf({ key }),
        signal: leaving.signal,
      }).catch(() => "left");
      const before = upstream.received.length;
      await expect.poll(() => upstream.received.length).toBe(before + 1);
      leaving.abort();
      expect(await left).toBe("left");
    }
    await expect.poll(() => aborted).toEqual([false, true]);
    gate.resolve();
    await expect.poll(async () => (await callKeyed(url, { key: '"a"' })).json().result).toEqual(JSON.parse(OK));
    expect(upstream.received).toHaveLength(2);
    expect(aborted[0]).toBe(false);
  });

  it("is given its outcome in the era of who asks", async () => {
    const { url } = await world(answerWith('{"content":[]}'));
    expect((await callOlder(url, { key: '"a"' })).json().result).toEqual({ content: [] });
    expect((await callKeyed(url, { key: '"a"' })).json().result).toEqual({ resultType: "complete", content: [] });
  });
});

it("gives stored outcomes while the breaker of the upstream is open, and claims nothing", async () => {
  let isBroken = false;
  const { upstream, url } = await world(
    (request, response) => (isBroken ? sendJson(response, "oops", 503) : answerWith(OK)(request, response)),
    { breaker: { failures: 2, pauseMs: 600_000, maxPauseMs: 600_000 } },
  );
  await callKeyed(url, { key: '"a"' });
  isBroken = true;
  await expect.poll(async () => faultIn(await callKeyed(url)).reason).toBe("transport/breaker_open");
  const received = upstream.received.length;
  expect((await callKeyed(url, { key: '"a"' })).json().result).toEqual(JSON.parse(OK));
  expect(faultIn(await callKeyed(url, { key: '"a"', args: '{"b":1}' })).reason).toBe("idempotency/key_reused");
  for (const args of ['{"b":1}', '{"b":2}']) {
    const fault = faultIn(await callKeyed(url, { key: '"b"', args }));
    expect(fault).toMatchObject({ reason: "transport/breaker_open", effect: "none" });
  }
  expect(upstream.received).toHaveLength(received);
});

describe("a call is refused before it runs", () => {
  it.each(['""', "1", "null", `"${"k".repeat(257)}"`])("with the key %s", async (key) => {
    const { upstream, url } = await world();
    const fault = faultIn(await callKeyed(url, { key }));
    expect(fault).toMatchObject({ reason: "protocol/malformed_call", effect: "none" });
    expect(upstream.received).toEqual([]);
  });

  it("where nobody knows whose key it is", async () => {
    const { upstream, url } = await world(undefined, { authentication: "none" });
    expect(faultIn(await callKeyed(url, { key: '"a"' })).reason).toBe("idempotency/caller_unknown");
    expect((await callKeyed(url)).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
  });
});

it("runs once also where the upstream is a REST API whose operation takes no key", async () => {
  let charges = 0;
  const api = await startUpstream((_request, response) => answerJson(response, 200, { charge: ++charges }));
  onTestFinished(() => api.close());
  const document = {
    openapi: "3.1.0",
    info: { title: "Till", version: "1" },
    servers: [{ url: api.url }],
    paths: { "/charges": { post: { operationId: "pay", responses: { "200": { description: "done" } } } } },
  };
  const file = join(await mkdtemp(join(tmpdir(), "till-")), "till.json");
  await writeFile(file, JSON.stringify(document));
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  const { era: _era, url: _url, ...rest } = httpUpstream(api.url) as Extract<UpstreamConfig, { kind: "http" }>;
  const upstream = { ...rest, kind: "openapi", document: file, server: undefined } as const;
  const { url } = await startTestGateway(keyed({ upstreams: [upstream] }));
  const answers = [];
  for (let call = 0; call < 3; call++) answers.push((await callKeyed(url, { key: '"a"', tool: "up__pay" })).text);
  expect(answers[0]).toContain('"charge":1');
  expect(new Set(answers).size).toBe(1);
  expect(charges).toBe(1);
});

it.each([
  ["required", true],
  ["none", false],
] as const)("announces keys with authentication %s: %s", async (authentication, keys) => {
  const { url } = await world(undefined, { authentication });
  const initialize =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';
  const { authorization = "" } = headersOf();
  const answer = await post(url, initialize, { "content-type": "application/json", authorization });
  expect(answer.json().result).toMatchObject({
    capabilities: { extensions: { "io.github.recourse-mcp/faults": { v: 1, keys } } },
  });
});

it("ends calls with a key when the gateway stops", async () => {
  const { upstream, gateway, url } = await world(() => {});
  const call = callKeyed(url, { key: '"a"' });
  await expect.poll(() => upstream.received.length).toBe(1);
  await gateway.close();
  expect(faultIn(await call)).toMatchObject({ kind: "cancelled", effect: "possible" });
});
