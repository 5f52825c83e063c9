import type { ServerResponse } from "node:http";
import { answerJson, startUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { GrantKind } from "./token-request.ts";
import { TokenService } from "./token-service.ts";

const SUBJECT = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c3ViamVjdC1zaWduYXR1cmU";
const SECRET = "client-secret-0123456789";
const OWN: GrantKind = { kind: "own" };
const EXCHANGE: GrantKind = { kind: "exchange", subjectToken: SUBJECT };
const GOOD = { access_token: "good-token", token_type: "Bearer", expires_in: 60 };

/** Requests have all the time that they need, until the test ends it. */
const limits: AbortController[] = [];
beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  limits.length = 0;
});
const endTime = () => limits.at(-1)?.abort(new DOMException("time is up", "TimeoutError"));

async function open(answer: UpstreamAnswer, { auth = "basic" }: { readonly auth?: "basic" | "body" } = {}) {
  const upstream = await startUpstream(answer);
  const said: string[] = [];
  const clock = { nowMs: 0 };
  const service = new TokenService({
    upstream: "up",
    client: {
      tokenUrl: `${upstream.url}/token?tenant=1`,
      clientId: "the gateway",
      clientSecret: SECRET,
      auth,
      scope: "read write",
      resource: "https://up.example/mcp",
      audience: "up",
    },
    observer: {
      switched: (control, state, how) => void said.push(`${control} ${state}: ${how}`),
      log: (level, message, facts) => void said.push(`${level} ${message} ${JSON.stringify(facts)}`),
      tokenRequested: (name, outcome) => void said.push(`${name} ${outcome}`),
    },
    now: () => clock.nowMs,
    timeoutMs: 300,
  });
  onTestFinished(async () => {
    await service.close();
    await upstream.close();
  });
  const ask = (grant: GrantKind = OWN, key = "one") => service.ask({ grant, key, isWanted: () => true });
  return { upstream, service, ask, said, clock };
}

test.each(["basic", "body"] as const)("a request says who asks, for what, and from whom (%s)", async (auth) => {
  const { upstream, ask } = await open((_, response) => answerJson(response, 200, GOOD), { auth });
  expect(await ask(EXCHANGE)).toEqual({ outcome: "given", value: "good-token", lifeMs: 60_000 });
  await ask(OWN);
  const [exchange, own] = upstream.hits.map(({ body }) => Object.fromEntries(new URLSearchParams(body.toString())));
  const client = auth === "body" ? { client_id: "the gateway", client_secret: SECRET } : {};
  const common = { scope: "read write", resource: "https://up.example/mcp", audience: "up", ...client };
  expect(own).toEqual({ ...common, grant_type: "client_credentials" });
  expect(exchange).toEqual({
    ...common,
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: SUBJECT,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
  });
  expect(upstream.hits[0]?.target).toBe("/token?tenant=1");
  const header = upstream.hits[0]?.headers["authorization"];
  expect(header).toBe(
    auth === "basic" ? `Basic ${Buffer.from(`the%20gateway:${SECRET}`).toString("base64")}` : undefined,
  );
});

test.each<[string, object]>([
  ["a token for signing in beside it", { id_token: SUBJECT }],
  ["members without a value", { scope: null, refresh_token: null, id_token: null }],
  ["no word about its life", { expires_in: null }],
])("a good answer with %s is one", async (_, more) => {
  const { ask } = await open((__, response) => answerJson(response, 200, { ...GOOD, ...more }));
  const given = { outcome: "given", value: "good-token" };
  expect([await ask(EXCHANGE), await ask(OWN)]).toMatchObject([given, given]);
});

const json =
  (status: number, body: object): UpstreamAnswer =>
  (_, response) =>
    answerJson(response, status, body);
const echo: UpstreamAnswer = ({ body }, response) =>
  answerJson(response, 400, { error: "invalid_request", error_description: `bad: ${body} ${SECRET}` });

test.each<[string, UpstreamAnswer, string, string]>([
  ["400 invalid_client", json(400, { error: "invalid_client" }), "misconfigured", "misconfigured"],
  ["401 alone", (_, response) => response.writeHead(401).end(), "misconfigured", "misconfigured"],
  [
    "401 with a challenge",
    (_, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end(),
    "misconfigured",
    "misconfigured",
  ],
  ["unauthorized_client", json(400, { error: "unauthorized_client" }), "misconfigured", "misconfigured"],
  ["unsupported_grant_type", json(400, { error: "unsupported_grant_type" }), "misconfigured", "misconfigured"],
  ["invalid_scope", json(400, { error: "invalid_scope" }), "misconfigured", "misconfigured"],
  ["invalid_target", json(400, { error: "invalid_target" }), "misconfigured", "misconfigured"],
  ["invalid_grant", json(400, { error: "invalid_grant" }), "refused", "misconfigured"],
  ["invalid_request that repeats all secrets", echo, "refused", "misconfigured"],
  ["access_denied", json(403, { error: "access_denied" }), "refused", "misconfigured"],
  ["interaction_required", json(400, { error: "interaction_required" }), "refused", "misconfigured"],
  ["403 alone", (_, response) => response.writeHead(403).end(), "refused", "misconfigured"],
  ["temporarily_unavailable", json(400, { error: "temporarily_unavailable" }), "unavailable", "unavailable"],
  ["an unknown code", json(400, { error: "out_of_cheese" }), "misconfigured", "misconfigured"],
  ["a code that is a text", json(400, { error: `${SECRET} is wrong` }), "misconfigured", "misconfigured"],
  ["404", (_, response) => response.writeHead(404).end("no"), "misconfigured", "misconfigured"],
  ["429", (_, response) => response.writeHead(429, { "retry-after": "7" }).end(), "unavailable", "unavailable"],
  ["500", (_, response) => response.writeHead(500).end(SECRET), "unavailable", "unavailable"],
  [
    "a page",
    (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    "misconfigured",
    "misconfigured",
  ],
  ["no token", json(200, { token_type: "Bearer" }), "misconfigured", "misconfigured"],
  ["a token of another type", json(200, { ...GOOD, token_type: "N_A" }), "misconfigured", "misconfigured"],
  ["a token bound to a key", json(200, { ...GOOD, token_type: "DPoP" }), "misconfigured", "misconfigured"],
  ["a token that ends its header", json(200, { ...GOOD, access_token: "a\r\nb: c" }), "misconfigured", "misconfigured"],
  [
    "a token for signing in",
    json(200, { ...GOOD, issued_token_type: "urn:ietf:params:oauth:token-type:id_token" }),
    "misconfigured",
    "misconfigured",
  ],
  [
    "a redirect",
    (_, response) => response.writeHead(307, { location: "https://evil.example/token" }).end(),
    "misconfigured",
    "misconfigured",
  ],
  ["nothing", (_, response) => response.destroy(), "unavailable", "unavailable"],
  ["far too much", (_, response) => response.end("x".repeat(100_000)), "unavailable", "unavailable"],
  ["an endless answer", (_, response) => response.write("{", endTime), "unavailable", "unavailable"],
])(
  "%s is understood for a caller and for the gateway, and tells no secret",
  async (_, answer, forCaller, forGateway) => {
    const { ask, said, upstream } = await open(answer);
    const [exchanged, own] = [await ask(EXCHANGE, "ada"), await ask(OWN, "own")];
    expect([exchanged.outcome, own.outcome]).toEqual([forCaller, forGateway]);
    expect(upstream.hits).toHaveLength(2);
    const causes = [exchanged, own].map((one) => ("cause" in one ? `${one.cause.stack} ${JSON.stringify(one)}` : ""));
    for (const text of [...said, ...causes]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("c3ViamVjdC1zaWduYXR1cmU");
    }
    expect(said.filter((line) => line.startsWith("up "))).toEqual([`up ${forCaller}`, `up ${forGateway}`]);
    expect(said.filter((line) => line.startsWith("credential of up away"))).toHaveLength(1);
  },
);

test("the wait that the service asks for is passed on, within a bound", async () => {
  const { ask } = await open((_, response) => response.writeHead(429, { "retry-after": "7000" }).end());
  expect(await ask()).toMatchObject({ outcome: "unavailable", afterMs: 60_000 });
});

test("one caller whose exchange always fails holds nobody up; several show that the service is away", async () => {
  const failing = new Set(["eve"]);
  let isBack = false;
  const { ask, said, upstream, clock } = await open(({ body }, response) => {
    const who = new URLSearchParams(body.toString()).get("subject_token") ?? "";
    return !isBack && failing.has(who) ? response.writeHead(500).end() : answerJson(response, 200, GOOD);
  });
  const exchange = (who: string) => ask({ kind: "exchange", subjectToken: who }, who);
  for (let at = 0; at < 20; at++) expect((await exchange("eve")).outcome).toBe("unavailable");
  expect((await exchange("ada")).outcome).toBe("given");
  expect(said.filter((line) => line.startsWith("credential"))).toEqual([]);
  for (const name of ["b", "c", "d"]) failing.add(name);
  for (const name of ["b", "c", "d"]) await exchange(name);
  expect(said.filter((line) => line.startsWith("credential of up away"))).toHaveLength(1);
  // From now on nobody asks, until the pause is over: then one does.
  const before = upstream.hits.length;
  expect(await exchange("ada")).toMatchObject({ outcome: "unavailable", afterMs: 250 });
  clock.nowMs = 250;
  const all = await Promise.all(["b", "ada", "c", "d", "e"].map(exchange));
  expect(upstream.hits.length - before).toBe(1);
  expect(new Set(all.map(({ outcome }) => outcome))).toEqual(new Set(["unavailable"]));
  isBack = true;
  clock.nowMs = 1_000;
  const back = await Promise.all(["b", "ada", "c", "d", "e"].map(exchange));
  expect(new Set(back.map(({ outcome }) => outcome))).toEqual(new Set(["given"]));
  expect(said.filter((line) => line.startsWith("credential of up back"))).toHaveLength(1);
});

test("so many requests are under way at one moment, and those that nobody wants any more are not sent", async () => {
  const unanswered: ServerResponse[] = [];
  const { service, upstream } = await open((_, response) => unanswered.push(response));
  const asked = Promise.all(
    Array.from({ length: 100 }, (_, at) => service.ask({ grant: EXCHANGE, key: String(at), isWanted: () => at < 50 })),
  );
  for (const sent of [16, 32, 48, 50]) {
    await expect.poll(() => upstream.hits.length).toBeGreaterThanOrEqual(sent);
    expect(upstream.hits).toHaveLength(sent);
    for (const response of unanswered.splice(0)) answerJson(response, 200, GOOD);
  }
  const all = await asked;
  expect(upstream.hits).toHaveLength(50);
  expect(all.filter(({ outcome }) => outcome === "given")).toHaveLength(50);
});

test("a service that does not answer is given up in time, and closing ends what waits", async () => {
  const { ask, service, upstream } = await open(() => undefined);
  const late = ask();
  await expect.poll(() => upstream.hits).toHaveLength(1);
  expect(AbortSignal.timeout).toHaveBeenCalledWith(300);
  endTime();
  expect((await late).outcome).toBe("unavailable");
  const waiting = ask();
  await service.close();
  expect((await waiting).outcome).toBe("unavailable");
});
