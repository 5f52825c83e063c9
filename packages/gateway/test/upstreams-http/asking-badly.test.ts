// Servers that ask against the rules, or whose clients get into trouble.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { eventually } from "@recourse/test-kit/eventually";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { describe, expect, it } from "vitest";
import { EVERY_ABILITY } from "../../src/call/abilities.ts";
import type { ServerAnswer, ServerRequest } from "../../src/call/server-request.ts";
import type { UpstreamRequest } from "../../src/call/upstream.ts";
import { FairPool } from "../../src/limits/fair-pool.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { scope } from "./support/scope.ts";
import { callOf, MAX_ANSWER_BYTES, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a server does. */
interface Behaviour {
  /** Answers a call. The stream is open. */
  call?(write: (message: object | string) => void, id: number, response: ServerResponse, params: unknown): void;
  /** Answers a response to one of its requests. @default 202 */
  answered?(response: ServerResponse, message: Message): void;
  /** Answers a GET. @default 405 */
  get?(response: ServerResponse, request: IncomingMessage): void;
}

/** A server of the older era whose streams each test writes for itself. */
async function startServer(behaviour: Behaviour) {
  const answers: Message[] = [];
  let gets = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method === "GET") {
      gets += 1;
      if (behaviour.get === undefined) response.writeHead(405).end();
      else behaviour.get(response, request);
      return;
    }
    const message: Message = body === "" ? {} : JSON.parse(body);
    if (message.method === "initialize") {
      response.setHeader("mcp-session-id", `s${Math.random()}`);
      response.setHeader("content-type", "application/json");
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "x", version: "1" } };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    } else if (message.method === undefined && message.id !== undefined) {
      answers.push(message);
      if (behaviour.answered === undefined) response.writeHead(202).end();
      else behaviour.answered(response, message);
    } else if (message.id === undefined) response.writeHead(202).end();
    else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const write = (one: object | string) =>
        response.write(`data: ${typeof one === "string" ? one : JSON.stringify({ jsonrpc: "2.0", ...one })}\n\n`);
      behaviour.call?.(write, message.id as number, response, message.params);
    }
  });
  const listening = await listenOnLoopback(server);
  return { ...listening, answers, gets: () => gets };
}

const OK: ServerAnswer = { result: Buffer.from('{"roots":[]}') };
const PARAMS = Buffer.from('{"name":"x","arguments":{}}');
const toolCall = (more: Partial<UpstreamRequest> = {}) =>
  callOf("x", "{}", { params: PARAMS, abilities: EVERY_ABILITY, onRequest: async () => OK, ...more });
const older = { era: "2025-11-25" } as const;
const question = (id: number | string) => ({ id, method: "roots/list" });
const DONE = '{"jsonrpc":"2.0","id":7,"result":{}}';

it("a server that asks without end is answered 32 times, refused then, and its answer arrives", async () => {
  let asked = 0;
  const server = keep(
    await startServer({
      async call(write, id) {
        for (let count = 0; count < 300; count++) {
          write(question(count));
          await new Promise(setImmediate);
        }
        write({ id, result: {} });
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  const onRequest = async () => {
    asked += 1;
    return OK;
  };
  expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  expect(asked).toBe(32);
  await expect.poll(() => server.answers.filter(({ result }) => result !== undefined)).toHaveLength(32);
  await expect.poll(() => server.answers.some(({ error }) => error?.code === -32_601)).toBe(true);
});

it("a flood of questions does not use up connections, and none of it reaches the caller", async () => {
  let open = 0;
  let most = 0;
  let end = () => {};
  const server = keep(
    await startServer({
      call(write, id) {
        for (let count = 0; count < 3_000; count++) write(question(count));
        end = () => write({ id, result: {} });
      },
      answered(response) {
        open += 1;
        most = Math.max(most, open);
        if (open === 64) end();
        response.once("close", () => {
          open -= 1;
        });
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  let asked = 0;
  const onRequest = async () => {
    asked += 1;
    return OK;
  };
  expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  expect(asked).toBe(32);
  expect(most).toBeLessThanOrEqual(96);
});

it("what is asked after the answer is nobody's", async () => {
  let end = () => {};
  const server = keep(
    await startServer({
      call(write, id, response) {
        end();
        write({ id, result: {} });
        write(question("late"));
        end = () => void response.end();
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  let asked = 0;
  const onRequest = async () => {
    asked += 1;
    return OK;
  };
  for (let calls = 0; calls < 3; calls++) expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  expect([asked, server.answers]).toEqual([0, []]);
});

it("an answer while the caller is asked ends the question, and the server gets an error for it", async () => {
  let end = () => {};
  const server = keep(
    await startServer({
      call(write, id) {
        write(question("open"));
        end = () => write({ id, result: {} });
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  const withdrawn = Promise.withResolvers<void>();
  const onRequest = (_: ServerRequest, signal: AbortSignal) => {
    signal.addEventListener("abort", () => withdrawn.resolve(), { once: true });
    end();
    return new Promise<never>(() => {});
  };
  expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  await withdrawn.promise;
  await expect.poll(() => server.answers).toMatchObject([{ id: "open", error: { code: -32_603 } }]);
});

it("a question that the server withdraws is withdrawn, and the time of the call goes on", async () => {
  holdTime();
  let withdraw = () => {};
  const server = keep(
    await startServer({
      call(write) {
        write(question("a"));
        withdraw = () => write({ method: "notifications/cancelled", params: { requestId: "a" } });
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  const seen: Buffer[] = [];
  const reasons: string[] = [];
  const onRequest = (_: ServerRequest, signal: AbortSignal) => {
    signal.addEventListener("abort", () => reasons.push("withdrawn"), { once: true });
    withdraw();
    return new Promise<never>(() => {});
  };
  const late = upstream.send(toolCall({ onRequest, timeoutMs: 400, onNotification: (one) => void seen.push(one) }));
  await eventually(() => expect(reasons).toHaveLength(1));
  await pass(400);
  expect(textOf(await late)).toBe("failed: core/timeout, possible");
  expect([reasons, seen, server.answers]).toEqual([["withdrawn"], [], []]);
});

it("a second question with the id of an open one is refused", async () => {
  let end = () => {};
  const refused = Promise.withResolvers<void>();
  const server = keep(
    await startServer({
      call(write, id) {
        write(question(1));
        write(question(1));
        end = () => write({ id, result: {} });
      },
      answered(response, { error }) {
        response.writeHead(202).end();
        if (error === undefined) end();
        else refused.resolve();
      },
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  let asked = 0;
  const onRequest = async () => {
    asked += 1;
    await refused.promise;
    return OK;
  };
  expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  expect(asked).toBe(1);
  expect(server.answers).toMatchObject([
    { id: 1, error: { code: -32_602 } },
    { id: 1, result: {} },
  ]);
});

describe("a question that is too long", () => {
  it("is refused", async () => {
    let end = () => {};
    const server = keep(
      await startServer({
        call(write, id) {
          write({ ...question(1), params: { text: "x".repeat(1_048_576) } });
          end = () => write({ id, result: {} });
        },
        answered(response) {
          response.writeHead(202).end();
          end();
        },
      }),
    );
    const upstream = keep(upstreamAt(server.url.href, older, { maxAnswerBytes: 4_194_304 }));
    expect(textOf(await upstream.send(toolCall()))).toBe(DONE);
    expect(server.answers).toMatchObject([{ id: 1, error: { code: -32_602 } }]);
  });

  it("is not held where it is longer than answers may be", async () => {
    const big = `{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"text":"${"x".repeat(10_000_000)}"}}`;
    const server = keep(await startServer({ call: (write) => write(big) }));
    const upstream = keep(upstreamAt(server.url.href, older));
    expect(textOf(await upstream.send(toolCall()))).toBe("failed: tool/result_too_large, possible");
  });
});

it("an answer that does not arrive is sent once more, and its loss is logged without what it says", async () => {
  let attempts = 0;
  let end = () => {};
  const server = keep(
    await startServer({
      call(write, id) {
        write(question("a"));
        write(question("b"));
        end = () => write({ id, result: {} });
      },
      answered(response, { id }) {
        attempts += 1;
        const isLost = id === "a" || attempts <= 2;
        response.writeHead(isLost ? 503 : 202).end();
        if (attempts === 4) end();
      },
    }),
  );
  const logged: unknown[] = [];
  const observer = { log: (...entry: unknown[]) => void logged.push(entry) };
  const upstream = keep(upstreamAt(server.url.href, older, { observer }));
  const onRequest = async () => ({ result: Buffer.from('{"secret":"of a person"}') });
  expect(textOf(await upstream.send(toolCall({ onRequest })))).toBe(DONE);
  expect(server.answers.filter(({ id }) => id === "a")).toHaveLength(2);
  expect(server.answers.filter(({ id }) => id === "b")).toHaveLength(2);
  await expect.poll(() => logged).toHaveLength(1);
  expect(JSON.stringify(logged)).toContain("503");
  expect(JSON.stringify(logged)).not.toContain("person");
});

it("a server that answers no question of its own is not waited for without end", async () => {
  holdTime();
  const server = keep(
    await startServer({
      call: (write) => write(question(1)),
      answered: () => {},
    }),
  );
  const upstream = keep(upstreamAt(server.url.href, older));
  const late = upstream.send(toolCall({ timeoutMs: 300 }));
  await eventually(() => expect(server.answers).toHaveLength(1));
  await pass(300);
  expect(textOf(await late)).toBe("failed: core/timeout, possible");
});

describe("the stream of a session", () => {
  const answer: Behaviour["call"] = (write, id) => write({ id, result: {} });

  it.each([405, 501, 200])("status %i: this server has none, and is not asked again", async (status) => {
    const server = keep(await startServer({ call: answer, get: (response) => void response.writeHead(status).end() }));
    const upstream = keep(upstreamAt(server.url.href, older));
    for (const session of ["a", "a", "b"]) expect(textOf(await upstream.send(toolCall({ session })))).toBe(DONE);
    expect(server.gets()).toBe(1);
  });

  it.each([404, 400])("status %i: this session has none", async (status) => {
    const server = keep(await startServer({ call: answer, get: (response) => void response.writeHead(status).end() }));
    const upstream = keep(upstreamAt(server.url.href, older));
    for (const session of ["a", "a", "b"]) expect(textOf(await upstream.send(toolCall({ session })))).toBe(DONE);
    expect(server.gets()).toBe(2);
  });

  it("a server in trouble is not asked with every call", async () => {
    holdTime();
    const server = keep(await startServer({ call: answer, get: (response) => void response.writeHead(500).end() }));
    const upstream = keep(upstreamAt(server.url.href, older));
    for (let count = 0; count < 20; count++) expect(textOf(await upstream.send(toolCall()))).toBe(DONE);
    expect(server.gets()).toBe(1);
  });

  it("a server that does not begin it is waited for once, and not for long", async () => {
    holdTime();
    const calls: number[] = [];
    const server = keep(
      await startServer({
        call(write, id) {
          calls.push(id);
          write({ id, result: {} });
        },
        get: () => {},
      }),
    );
    const upstream = keep(upstreamAt(server.url.href, older));
    const first = upstream.send(toolCall());
    await eventually(() => expect(server.gets()).toBe(1));
    await pass(999);
    expect(calls).toEqual([]);
    await pass(1);
    expect(textOf(await first)).toBe(DONE);
    for (let count = 0; count < 4; count++) expect(textOf(await upstream.send(toolCall()))).toBe(DONE);
    expect(server.gets()).toBe(1);
  });

  it("a call with less time than that does not wait longer than it has", async () => {
    holdTime();
    const server = keep(await startServer({ call: () => {}, get: () => {} }));
    const upstream = keep(upstreamAt(server.url.href, older));
    const late = upstream.send(toolCall({ timeoutMs: 300 }));
    await eventually(() => expect(server.gets()).toBe(1));
    await pass(300);
    expect(textOf(await late)).toBe("failed: transport/not_sent, none");
  });

  it("one that ends is opened again while a call is under way", async () => {
    holdTime();
    const open: ServerResponse[] = [];
    const server = keep(
      await startServer({
        call: () => {},
        get(response) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.flushHeaders();
          open.push(response);
          if (open.length === 1) response.end();
          else response.write('data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n');
        },
      }),
    );
    const upstream = keep(upstreamAt(server.url.href, older));
    const asked = Promise.withResolvers<void>();
    const caller = new AbortController();
    const onRequest = async () => {
      asked.resolve();
      return OK;
    };
    const reply = upstream.send(toolCall({ onRequest, signal: caller.signal }));
    await passUntil(asked.promise);
    await eventually(() => expect(server.answers).toMatchObject([{ id: 1, result: { roots: [] } }]));
    caller.abort();
    await reply;
    expect(open).toHaveLength(2);
  });

  it("one that brings more than answers may is cut, holds nothing, and costs the call nothing", async () => {
    holdTime();
    const called = Promise.withResolvers<() => void>();
    const server = keep(
      await startServer({
        call: (write, id) => called.resolve(() => write({ id, result: {} })),
        get(response) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(
            `data: {"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"t":"${"x".repeat(10_000_000)}`,
          );
        },
      }),
    );
    const memory = new FairPool({ capacity: 4 * MAX_ANSWER_BYTES, least: MAX_ANSWER_BYTES });
    const upstream = keep(upstreamAt(server.url.href, older, { memory }));
    const reply = upstream.send(toolCall());
    await passUntil(eventually(() => expect(server.gets()).toBe(2)));
    const answerCall = await called.promise;
    answerCall();
    expect(textOf(await reply)).toBe(DONE);
    await upstream.close();
    expect(memory.held).toBe(0);
  });

  it("progress on it reaches the call that it belongs to, everything else the newest", async () => {
    let stream: ServerResponse | undefined;
    const tokens: unknown[] = [];
    const answers: (() => void)[] = [];
    const server = keep(
      await startServer({
        call(write, id, _response, params) {
          tokens.push((params as { _meta: { progressToken: unknown } })._meta.progressToken);
          answers.push(() => write({ id, result: {} }));
        },
        get(response) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.flushHeaders();
          stream = response;
        },
      }),
    );
    const upstream = keep(upstreamAt(server.url.href, older));
    const seen: string[] = [];
    const replies: Promise<unknown>[] = [];
    for (const name of ["first", "second"]) {
      const params = Buffer.from(`{"name":"x","arguments":{},"_meta":{"progressToken":"${name}"}}`);
      const onNotification = (message: Buffer) => {
        const { method, params: said } = JSON.parse(message.toString());
        seen.push(`${name}: ${method} ${said.progressToken ?? said.data}`);
      };
      replies.push(upstream.send(toolCall({ params, onNotification })));
      await expect.poll(() => answers.length).toBe(replies.length);
    }
    const send = (method: string, params: object) =>
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
    send("notifications/progress", { progressToken: tokens[0], progress: 1 });
    send("notifications/progress", { progressToken: "made up", progress: 1 });
    send("notifications/message", { level: "info", data: "about notifications/progress" });
    await expect
      .poll(() => seen)
      .toEqual(["first: notifications/progress first", "second: notifications/message about notifications/progress"]);
    for (const one of answers) one();
    await Promise.all(replies);
  });

  it("what is asked outside of a call is refused, and a ping is answered", async () => {
    let stream: ServerResponse | undefined;
    const server = keep(
      await startServer({
        call: answer,
        get(response) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.flushHeaders();
          stream = response;
        },
      }),
    );
    const upstream = keep(upstreamAt(server.url.href, older));
    let asked = 0;
    const onRequest = async () => {
      asked += 1;
      return OK;
    };
    await upstream.send(toolCall({ onRequest }));
    stream?.write('data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n');
    stream?.write('data: {"jsonrpc":"2.0","id":2,"method":"ping"}\n\n');
    await expect
      .poll(() => server.answers.toSorted((one, other) => Number(one.id) - Number(other.id)))
      .toMatchObject([
        { id: 1, error: { code: -32_601 } },
        { id: 2, result: {} },
      ]);
    expect(asked).toBe(0);
  });
});
