// The load, in a process of its own: 16 connections as fast as they are answered, or a fixed number of calls a second.
import { numberRequests } from "./messages.ts";
import { postRequest, RawConnection } from "./raw-connection.ts";
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
  /** Calls a second; @default as fast as they are answered. */
  readonly rate?: number;
  /** A session of 2025-11-25 is opened first on each connection. */
  readonly session: boolean;
  /** The status of every right answer. */
  readonly status: number;
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

/** A connection, and the request that is sent on it. */
interface Kept {
  readonly connection: RawConnection;
  readonly request: Buffer;
}

/** The connections of each target. They stay open between turns, as those of callers do. */
const kept = new Map<string, readonly Kept[]>();

async function connectionsOf(order: LoadOrder): Promise<readonly Kept[]> {
  const { seconds: _, rate: __, ...target } = order;
  const key = JSON.stringify(target);
  const known = kept.get(key);
  if (known?.every(({ connection }) => !connection.isBroken)) return known;
  for (const { connection } of known ?? []) connection.close();
  const opened: Kept[] = [];
  for (let at = 0; at < order.connections; at++) {
    const port = order.ports[at % order.ports.length] as number;
    const connection = new RawConnection(port);
    const request = order.session ? await openSession(connection, port, order) : postRequest({ ...order, port });
    opened.push({ connection, request });
  }
  kept.set(key, opened);
  return opened;
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const expected = Buffer.from(order.expected);
  const all = await connectionsOf(order);
  const times: number[] = [];
  const seen: { wrong: number; sample: string | undefined } = { wrong: 0, sample: undefined };
  const started = performance.now();
  const end = started + order.seconds * 1_000;

  const number = numberRequests(all[0]?.request ?? Buffer.alloc(0));
  const call = (one: (typeof all)[number], from: number, done: () => void) => {
    number(one.request);
    one.connection.send(
      one.request,
      ({ status, bytes }) => {
        times.push(performance.now() - from);
        if (status !== order.status || bytes.indexOf(expected) < 0) {
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

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
});
const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

async function openSession(connection: RawConnection, port: number, order: LoadOrder): Promise<Buffer> {
  const ask = (headers: Readonly<Record<string, string>>, body: string) =>
    new Promise<Buffer>((resolve, reject) => {
      connection.send(postRequest({ ...order, port, headers, body }), ({ bytes }) => resolve(bytes), reject);
    });
  const answer = (await ask(order.headers, INITIALIZE)).toString("latin1");
  const session = /\r\nmcp-session-id: ?([^\r]+)/i.exec(answer)?.[1];
  const headers = {
    ...order.headers,
    "mcp-protocol-version": "2025-11-25",
    ...(session !== undefined && { "mcp-session-id": session }),
  };
  await ask(headers, INITIALIZED);
  return postRequest({ ...order, port, headers });
}
