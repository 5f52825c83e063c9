// A call of the older era whose stream breaks ends with an answer, at any replica, and nobody else gets it.
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { GatewayConfig, UpstreamConfig } from "../../src/config/types.ts";
import { startAsker } from "../held/asking-server.ts";
import { ACME, keyed, OTHER, START_MS, startEngines, startReplica } from "../idempotency/support/replicas.ts";
import { callOnStream, openSession } from "../questions/raw-caller.ts";
import { connectAsked, textIn } from "../questions/sdk-clients.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { MODERN_META, modernHeaders } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, startStubUpstream, tokenIn } from "../support/stub-upstream.ts";
import { switchingProxy } from "./support/switching-proxy.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

beforeEach(holdTime);

const LOST = "The connection was lost before the answer came.";
const LOOK_FIRST = `${LOST} The call may have taken effect. Check the current state before repeating the call.`;
const KEY_ADVICE =
  "The connection was lost before the answer came; with the same idempotency key the call does not run twice. Repeat this call in 1 second.";

/** A server that asks, as an upstream. */
async function asking(changes: Partial<UpstreamConfig> = {}) {
  const server = await startAsker("v1");
  onTestFinished(() => server.close());
  return { server, upstreams: [httpUpstream(server.url, { era: "2025-11-25", ...changes } as object)] };
}

/** A person who never answers. */
function silentPerson() {
  const asked = Promise.withResolvers<void>();
  const elicit = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  return { elicit, asked: asked.promise };
}

/** What came of a call whose client waits for a while before it comes back. */
async function comeBack(calling: Promise<unknown>) {
  return (await passUntil(calling)) as { isError?: boolean; _meta?: Record<string, unknown> };
}

describe.each(["v1", "v2"] as const)("a client %s", (version) => {
  it("reads what happened when the replica dies that asked for it", async () => {
    const { server, upstreams } = await asking();
    const options = engines.shared({ upstreams });
    const [owner, other] = [await startReplica(options), await startTestGateway(options)];
    const proxy = await switchingProxy(owner.url);
    const person = silentPerson();
    const client = await connectAsked(version, [proxy.url], person);
    const calling = client.callTool({ name: "up__pay", arguments: { to: "ACME" } });
    await person.asked;
    proxy.switchTo(other.url);
    await owner.kill();
    const result = await comeBack(calling);
    expect(textIn(result)).toBe(LOOK_FIRST);
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        "recourse/fault": {
          reason: "transport/connection_lost",
          effect: "possible",
          origin: { layer: "gateway" },
        },
      },
    });
    expect(result._meta?.["recourse/fault"]).not.toHaveProperty("incident");
    expect(proxy.lastEventIds()).toHaveLength(1);
    expect(server.paid).toEqual(["ACME"]);
  });

  it("reads it when a proxy cuts the connection, and can be used further", async () => {
    const { upstreams } = await asking();
    const gateway = await startTestGateway(keyed({ upstreams }));
    const proxy = await switchingProxy(gateway.url);
    let person = silentPerson();
    const client = await connectAsked(version, [proxy.url], { elicit: () => person.elicit() });
    const calling = client.callTool({ name: "up__ask" });
    await person.asked;
    proxy.cut();
    const result = await comeBack(calling);
    expect(textIn(result)).toBe(LOOK_FIRST);
    person = { ...person, elicit: () => Promise.resolve(undefined) };
    expect(textIn(await client.callTool({ name: "up__ask" }))).toContain('"city":"Rome"');
    expect(proxy.lastEventIds()).toHaveLength(1);
  });

  it("whose call ends does not come back", async () => {
    const { upstreams } = await asking();
    const gateway = await startTestGateway(keyed({ upstreams }));
    const proxy = await switchingProxy(gateway.url);
    const client = await connectAsked(version, [proxy.url]);
    for (const name of ["ask", "together", "fail", "report"]) await client.callTool({ name: `up__${name}` });
    await pass(60_000);
    await client.callTool({ name: "up__ask" });
    expect(proxy.lastEventIds()).toEqual([]);
    expect(client.errors).toEqual([]);
  });

  it("with a key is told to repeat, and the call runs once", async () => {
    const { server, upstreams } = await asking();
    const options = engines.shared({ upstreams });
    const [owner, other] = [await startReplica(options), await startTestGateway(options)];
    const proxy = await switchingProxy(owner.url);
    const person = silentPerson();
    const client = await connectAsked(version, [proxy.url], person);
    const call = { name: "up__pay", arguments: { to: version }, _meta: { "recourse/call": { key: version } } };
    const calling = client.callTool(call);
    await person.asked;
    proxy.switchTo(other.url);
    await owner.kill();
    const result = await comeBack(calling);
    expect(textIn(result)).toBe(KEY_ADVICE);
    expect(result._meta?.["recourse/fault"]).toMatchObject({
      reason: "idempotency/answer_lost",
      effect: "possible",
      recourse: [{ do: "retry", afterMs: 1_000 }],
    });
    expect(textIn(await client.callTool(call))).toContain("idempotency key");
    expect(server.paid).toEqual([version]);
  });
});

/** Sends progress, and then what is given, as one stream. */
function afterProgress(end: (id: string) => string): StubAnswer {
  return ({ text, id }, response) => {
    const params = `{"progressToken":${tokenIn(text)},"progress":1}`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`);
    response.end(`data: ${end(id)}\n\n`);
  };
}

const succeeded = afterProgress((id) => `{"jsonrpc":"2.0","id":${id},"result":${OK}}`);
const refused = afterProgress(
  (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`,
);

/** Posts a call of `echo` that wants progress, and gives the bytes of its answer. */
async function callForProgress(url: URL, headers: Record<string, string>, { id = "1", meta = "" } = {}) {
  const params = `{"name":"up__echo","arguments":{},"_meta":{"progressToken":1${meta}}}`;
  const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
  const response = await fetch(url, { method: "POST", headers, body });
  return response.text();
}

/** The ids of the events in a stream. */
const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);

async function startEcho(
  answer: StubAnswer,
  changes: Partial<GatewayConfig> = {},
  upstream: Partial<UpstreamConfig> = {},
) {
  const stub = await startStubUpstream(answer);
  return startTestGateway(keyed({ upstreams: [httpUpstream(stub.url, upstream as object)], ...changes }));
}

/** Opens a stream by GET with the id of an event. */
async function openAt(url: URL, session: Record<string, string>, id: string) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const headers = { ...session, accept: "text/event-stream", "last-event-id": id };
  const response = await ownFetch()(url, { headers, signal: left.signal });
  const seen = { status: response.status, text: "", isOpen: true };
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) seen.text += decoder.decode(chunk, { stream: true });
  })()
    .catch(() => {})
    .finally(() => {
      seen.isOpen = false;
    });
  return { seen, ended };
}

/** Reads such a stream to its end. */
async function resume(...args: Parameters<typeof openAt>) {
  const { seen, ended } = await openAt(...args);
  await ended;
  return seen;
}

describe("the stream of a call", () => {
  it("has an id at its first and its last event, and what asks for the last is refused", async () => {
    const gateway = await startEcho(succeeded);
    const session = await openSession(gateway.url);
    const text = await callForProgress(gateway.url, session, { id: '"a b"' });
    const [first = "", last = "", ...more] = idsIn(text);
    expect(first).toMatch(/^c1\./);
    expect(last).toMatch(/^e1\./);
    expect(more).toEqual([]);
    expect(text).toMatch(
      /^id: .*\nevent: message\ndata: .*progress.*\n\nid: .*\nevent: message\ndata: .*"id":"a b".*\n\n$/,
    );
    expect(await resume(gateway.url, session, last)).toMatchObject({ status: 405 });
    const answer = await resume(gateway.url, session, first);
    expect(answer.text).toMatch(
      /^event: message\ndata: \{"jsonrpc":"2.0","id":"a b","result":\{.*"isError":true.*\}\n\n$/,
    );
  });

  it("has none where the answer is no stream, the caller has no session, or is of the newer era", async () => {
    const gateway = await startEcho(succeeded);
    const session = await openSession(gateway.url);
    const { "mcp-session-id": _, ...sessionless } = session;
    const older = await callForProgress(gateway.url, sessionless);
    const authorization = `Bearer ${ACME}`;
    const headers = { ...modernHeaders("tools/call", "up__echo"), authorization };
    const newer = await callForProgress(gateway.url, headers, { meta: `,${MODERN_META}` });
    for (const text of [older, newer]) {
      expect(text).toContain("notifications/progress");
      expect(idsIn(text)).toEqual([]);
    }
    const plain = await startEcho(answerWith(OK));
    expect(await callForProgress(plain.url, await openSession(plain.url))).toMatch(/^\{"jsonrpc"/);
  });

  it("has none where the id of the call is very long", async () => {
    const gateway = await startEcho(succeeded);
    const text = await callForProgress(gateway.url, await openSession(gateway.url), { id: `"${"x".repeat(1_000)}"` });
    expect(text).toContain("notifications/progress");
    expect(idsIn(text)).toEqual([]);
  });

  it("has none for callers that read failures as errors", async () => {
    const { keys = [] } = keyed();
    const spoken = (dialect: "erlmcp" | "onx") => ({ keys: keys.map((key) => ({ ...key, dialect })) });
    const errors = await startEcho(succeeded, spoken("erlmcp"));
    expect(idsIn(await callForProgress(errors.url, await openSession(errors.url)))).toEqual([]);
    const results = await startEcho(succeeded, spoken("onx"));
    const session = await openSession(results.url);
    const [id = ""] = idsIn(await callForProgress(results.url, session));
    expect((await resume(results.url, session, id)).text).toContain('"code":4001');
  });

  it("that ends with a JSON-RPC error lets no client come back for ever", async () => {
    const gateway = await startEcho(refused);
    const proxy = await switchingProxy(gateway.url);
    for (const version of ["v1", "v2"] as const) {
      const client = await connectAsked(version, [proxy.url]);
      const call = { name: "up__echo", _meta: { progressToken: 1 } };
      await expect(client.callTool(call)).rejects.toThrow();
      if (version === "v1") await passUntil(eventually(() => expect(proxy.lastEventIds()).toHaveLength(1)));
      await pass(60_000);
      await expect(client.callTool({ name: "up__echo" })).rejects.toThrow();
      const errors = client.errors.map(({ message }) => message);
      // The client did not ask for the progress.
      expect(errors.filter((message) => !message.includes("unknown token"))).toEqual([]);
    }
    // Version 1 asks once, and is told that there is nothing.
    expect(proxy.lastEventIds()).toEqual([expect.stringMatching(/^e1\./)]);
  });
});

describe("the answer to a broken call", () => {
  it("says that nothing was changed only where the tool reads and its upstream is trusted", async () => {
    const tool = { name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
    const stub = await startStubUpstream(succeeded, [tool]);
    for (const trustAnnotations of [true, false]) {
      const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(stub.url, { trustAnnotations })] }));
      const session = await openSession(gateway.url);
      const [id = ""] = idsIn(await callForProgress(gateway.url, session));
      const { text } = await resume(gateway.url, session, id);
      expect(text).toContain(trustAnnotations ? '"effect":"none"' : '"effect":"possible"');
      expect(text).toContain(trustAnnotations ? `${LOST} Repeat this call in a moment.` : LOOK_FIRST);
    }
  });

  it("does not say that a call can be repeated whose key died with its replica", async () => {
    const gateway = await startEcho(succeeded);
    const session = await openSession(gateway.url);
    const meta = ',"recourse/call":{"key":"k"}';
    const [id = ""] = idsIn(await callForProgress(gateway.url, session, { meta }));
    expect((await resume(gateway.url, session, id)).text).toContain(LOOK_FIRST);
    const honoured = await startEcho(succeeded, {}, { honoursKeys: true });
    const other = await openSession(honoured.url);
    const [known = ""] = idsIn(await callForProgress(honoured.url, other, { meta }));
    expect((await resume(honoured.url, other, known)).text).toContain(KEY_ADVICE);
  });

  it("is for its caller and its session only: for others it is an id like any other", async () => {
    const gateway = await startEcho(succeeded);
    const session = await openSession(gateway.url);
    const [id = ""] = idsIn(await callForProgress(gateway.url, session));
    const stranger = await openSession(gateway.url, { credential: OTHER });
    const second = await openSession(gateway.url);
    const others = [
      await openAt(gateway.url, stranger, id),
      await openAt(gateway.url, second, id),
      await openAt(gateway.url, session, `${id}x`),
    ];
    expect(await resume(gateway.url, { ...session, authorization: `Bearer ${OTHER}` }, id)).toMatchObject({
      status: 404,
    });
    const { "mcp-session-id": _, ...sessionless } = session;
    expect(await resume(gateway.url, sessionless, id)).toMatchObject({ status: 405 });
    expect((await resume(gateway.url, session, id)).text).toContain(LOST);
    for (const { seen } of others) expect(seen).toEqual({ status: 200, text: "", isOpen: true });
  });

  it("is no incident but counted, and takes no place among the streams", async () => {
    const incidents: unknown[] = [];
    const stub = await startStubUpstream(succeeded);
    const telemetry = { otlp: undefined, prometheus: true, logLevel: "silent" } as const;
    const config = keyed({ upstreams: [httpUpstream(stub.url)], maxStreams: 2, telemetry });
    const gateway = await startTestGateway(config, { sink: (incident) => void incidents.push(incident) });
    const session = await openSession(gateway.url);
    const [id = ""] = idsIn(await callForProgress(gateway.url, session));
    const plain = async () => (await openAt(gateway.url, session, "none")).seen.status;
    expect([await plain(), await plain(), await plain()]).toEqual([200, 200, 429]);
    for (let at = 0; at < 10; at++) expect((await resume(gateway.url, session, id)).text).toContain(LOST);
    expect(incidents).toEqual([]);
    const metrics = await (await fetch(new URL("/metrics", gateway.url))).text();
    const counted = metrics.split("\n").filter((line) => line.startsWith("recourse_server_faults"));
    expect(counted).toContainEqual(
      expect.stringMatching(/mcp_method_name="stream".*transport\/connection_lost.* 10( |$)/),
    );
  });

  it("counts against the limits, like other messages that lead nowhere", async () => {
    const key = { perSecond: 0.01, burst: 5 };
    const limits = { address: undefined, key, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;
    const gateway = await startEcho(succeeded, { limits });
    const session = await openSession(gateway.url);
    const [id = ""] = idsIn(await callForProgress(gateway.url, session));
    const answers = [];
    for (let at = 0; at < 10; at++) answers.push(await resume(gateway.url, session, id));
    expect(answers[0]?.text).toContain(LOST);
    expect(answers.at(-1)).toMatchObject({ status: 429 });
    for (const { text } of answers) expect(text).not.toMatch(/"result".*rate_limited/);
  });

  it("is given at any replica, and not once the session has ended", async () => {
    const { upstreams } = await asking();
    const options = engines.shared({ upstreams });
    const [one, two] = [await startTestGateway(options), await startTestGateway(options)];
    const session = await openSession(one.url);
    const open = await callOnStream(one.url, session, { tool: "up__ask", id: "5" });
    expect(await open.next()).toMatchObject({ method: "elicitation/create" });
    expect(open.lastEventId()).toMatch(/^c1\./);
    const answer = await resume(two.url, session, open.lastEventId() ?? "");
    expect(answer.text).toContain('"id":5,"result":');
    await (await fetch(two.url, { method: "DELETE", headers: session })).body?.cancel();
    await eventually(async () => {
      expect((await resume(one.url, session, open.lastEventId() ?? "")).status).toBe(404);
    });
  });
});
