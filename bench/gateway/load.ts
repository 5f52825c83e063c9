// The load, in a process of its own: 16 connections as fast as they are answered, or a fixed number of calls a second.
import { KEY_PLACE } from "./messages.ts";
import { RawConnection } from "./raw-connection.ts";
import "./report.ts";

/** What is asked of the load. */
export interface LoadOrder {
  /** Connections are spread over these. */
  readonly ports: readonly number[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  /** Calls a second; as fast as they are answered where it is missing. */
  readonly rate?: number;
  /** A session of 2025-11-25 is opened first on each connection. */
  readonly session: boolean;
  /** A part of the text of every right answer. */
  readonly expected: string;
}

/** What the load saw. */
export interface LoadResult {
  readonly calls: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The first answer that was wrong. */
  readonly sample?: string;
}

process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("ports" in message)) return;
  run(message as LoadOrder).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.({ ready: true });

async function run(order: LoadOrder): Promise<LoadResult> {
  const expected = Buffer.from(order.expected);
  const all = Array.from({ length: order.connections }, (_, at) => {
    const port = order.ports[at % order.ports.length] as number;
    return { connection: new RawConnection(port), request: requestOf(port, order, order.headers, order.body) };
  });
  if (order.session) for (const [at, one] of all.entries()) one.request = await openSession(one.connection, at, order);
  const times: number[] = [];
  const seen: { wrong: number; sample: string | undefined } = { wrong: 0, sample: undefined };
  const started = performance.now();
  const end = started + order.seconds * 1_000;

  const keyAt = all[0]?.request.indexOf(KEY_PLACE) ?? -1;
  let key = Date.now() * 1_000;
  const call = (one: (typeof all)[number], from: number, done: () => void) => {
    if (keyAt >= 0) one.request.write(String(key++), keyAt, "latin1");
    one.connection.send(
      one.request,
      ({ status, bytes }) => {
        times.push(performance.now() - from);
        if (status !== 200 || bytes.indexOf(expected) < 0) {
          seen.wrong += 1;
          seen.sample ??= bytes.toString().slice(0, 2_000);
        }
        done();
      },
      (error) => {
        seen.wrong += 1;
        seen.sample ??= String(error);
        done();
      },
    );
  };

  await new Promise<void>((resolve) => {
    if (order.rate === undefined) closedLoop(all, { call, end, resolve });
    else openLoop(all, { call, started, end, rate: order.rate, resolve });
  });
  const seconds = (performance.now() - started) / 1_000;
  for (const { connection } of all) connection.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  const { wrong, sample } = seen;
  return {
    calls: times.length,
    wrong,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    ...(sample !== undefined && { sample }),
  };
}

type Call<One> = (one: One, from: number, done: () => void) => void;

/** Each connection sends its next call when the last is answered. */
function closedLoop<One>(all: readonly One[], how: { call: Call<One>; end: number; resolve: () => void }): void {
  let open = all.length;
  for (const one of all) {
    const next = () => {
      if (performance.now() < how.end) {
        how.call(one, performance.now(), next);
        return;
      }
      open -= 1;
      if (open === 0) how.resolve();
    };
    next();
  }
}

/**
 * Calls arrive at a fixed rate, answered or not. One that finds no free connection waits, and its wait counts; that the
 * timer of this process fires late does not.
 */
function openLoop<One>(
  all: readonly One[],
  how: { call: Call<One>; started: number; end: number; rate: number; resolve: () => void },
): void {
  const free = [...all];
  const waiting: number[] = [];
  let made = 0;
  const serve = () => {
    while (waiting.length > 0 && free.length > 0) {
      const one = free.pop() as One;
      how.call(one, waiting.shift() as number, () => {
        free.push(one);
        serve();
      });
    }
  };
  const tick = () => {
    const now = performance.now();
    const due = Math.floor(((Math.min(now, how.end) - how.started) * how.rate) / 1_000);
    for (; made < due; made++) waiting.push(now);
    serve();
    if (now < how.end) setTimeout(tick, 1);
    else if (waiting.length === 0 && free.length === all.length) how.resolve();
    else setTimeout(tick, 5);
  };
  tick();
}

function requestOf(port: number, order: LoadOrder, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, "content-length": Buffer.byteLength(body) });
  return Buffer.from(
    `POST ${order.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
});
const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

async function openSession(connection: RawConnection, at: number, order: LoadOrder): Promise<Buffer> {
  const port = order.ports[at % order.ports.length] as number;
  const ask = (headers: Readonly<Record<string, string>>, body: string) =>
    new Promise<Buffer>((resolve, reject) => {
      connection.send(requestOf(port, order, headers, body), ({ bytes }) => resolve(bytes), reject);
    });
  const answer = (await ask(order.headers, INITIALIZE)).toString("latin1");
  const session = /\r\nmcp-session-id: ?([^\r]+)/i.exec(answer)?.[1];
  const headers = {
    ...order.headers,
    "mcp-protocol-version": "2025-11-25",
    ...(session !== undefined && { "mcp-session-id": session }),
  };
  await ask(headers, INITIALIZED);
  return requestOf(port, order, headers, order.body);
}
