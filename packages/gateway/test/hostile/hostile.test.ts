// Hostile bytes over real connections: each gets an answer of the contract or a closed connection, and the gateway serves the
// next good call.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { expectNoLeak } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { BODIES_CASES } from "./cases/bodies.ts";
import { ENVELOPE } from "./cases/envelope.ts";
import { FRAMING } from "./cases/framing.ts";
import { HEADERS } from "./cases/headers.ts";
import { PATHS } from "./cases/paths.ts";
import { REQUEST_LINES } from "./cases/request-lines.ts";
import { exchange } from "./exchange.ts";
import { type Hostile, OUTCOMES, type Outcome } from "./outcomes.ts";
import { KEY, request } from "./request.ts";
import { answerAsUpstream, UPSTREAM_SECRET } from "./upstream.ts";

const TABLES = {
  "request lines": REQUEST_LINES,
  paths: PATHS,
  headers: HEADERS,
  framing: FRAMING,
  bodies: BODIES_CASES,
  envelopes: ENVELOPE,
} satisfies Record<string, readonly Hostile[]>;

/** A missing answer is reported after this time, which no answer takes, even on a busy machine. */
const BOUND_MS = 50_000;
/** How many connections are open at once. */
const AT_ONCE = 8;

let upstream: LoopbackServer;
let gateway: Gateway;
let port: number;
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled);
  process.on("uncaughtExceptionMonitor", onUnhandled);
  upstream = await listenOnLoopback(createServer(answerAsUpstream));
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const key = { id: "k1", tenant: "acme", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  gateway = await startGateway(
    testConfig({
      authentication: "required",
      keys: [key],
      upstreams: [httpUpstream(upstream.url, { credential: { kind: "bearer", token: UPSTREAM_SECRET } })],
    }),
  );
  port = Number(gateway.url.port);
});

afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
  process.off("unhandledRejection", onUnhandled);
  process.off("uncaughtExceptionMonitor", onUnhandled);
});

test("there are at least 300 inputs, each with a name of its own", () => {
  const names = Object.values(TABLES).flatMap((table) => table.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(300);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

describe.each(Object.entries(TABLES))("%s", (_, table) => {
  test("each gets the answer of its class, or a closed connection", async () => {
    const wrong: string[] = [];
    const queue = [...table];
    const work = async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        const problem = await problemOf(one);
        if (problem !== undefined) wrong.push(`${one.name}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(wrong).toEqual([]);
    expect(await problemOf({ name: "a good call", send: [request()], expect: "served" })).toBeUndefined();
    expect(unhandled).toEqual([]);
  });
});

/** What is wrong with the answer to an input; undefined where it is one of its class. */
async function problemOf({ send, expect: name, ending = "wait", answers = 1 }: Hostile): Promise<string | undefined> {
  const outcome: Outcome = OUTCOMES[name];
  const got = await exchange({ port, send, ending, answers, boundMs: BOUND_MS });
  expectNoLeak(got.text, [UPSTREAM_SECRET, KEY, "node:internal", "/packages/", "/src/", ".ts:", "at async", "undici"]);
  if (got.answers.length === 0) {
    if (outcome.mayClose === true && (got.closed || ending === "reset")) return undefined;
    return `no answer: ${JSON.stringify(got.text.slice(0, 300))}`;
  }
  if (got.answers.length !== answers) return `${got.answers.length} answers: ${JSON.stringify(got.text.slice(0, 600))}`;
  return got.answers.map((answer) => answerProblem(answer, outcome)).find((problem) => problem !== undefined);
}

function answerProblem({ status, body }: { status: number; body: string }, outcome: Outcome): string | undefined {
  const shown = `${status} ${body.slice(0, 400)}`;
  if (!outcome.statuses.includes(status)) return shown;
  if (status === 200 && outcome.reason === undefined) {
    return /"result":\{/.test(body) && !body.includes('"isError":true') ? undefined : shown;
  }
  if (outcome.reason === undefined) return body.length > 200 ? shown : undefined;
  const reason = /"reason":"([^"]+)"/.exec(body)?.[1] ?? "none";
  return [outcome.reason].flat().includes(reason) ? undefined : shown;
}
