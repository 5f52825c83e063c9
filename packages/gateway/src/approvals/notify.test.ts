import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ApprovalChange } from "./approvals.ts";
import { ApprovalNotifier, type NotifierOptions, signWebhook } from "./notify.ts";

const NOW_MS = Date.parse("2026-05-04T03:02:01.000Z");
/** Long enough for the slowest machine. */
const PATIENT_MS = 600_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real receiver that answers with the given statuses in turn, then with 204. Undefined keeps the answer back. */
async function startReceiver(statuses: readonly (number | undefined)[] = [], headers: Record<string, string> = {}) {
  const got: Got[] = [];
  const unanswered: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const status = got.length < statuses.length ? statuses[got.length] : 204;
    got.push({ headers: request.headers, body });
    if (status === undefined) unanswered.push(response);
    else response.writeHead(status, headers).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, got, unanswered, server };
}

/** A notifier whose time passes only while it waits between attempts, and then at once. */
function startNotifier(url: string, changes: Partial<NotifierOptions> = {}) {
  const lines: unknown[] = [];
  const clock = { ms: NOW_MS };
  const sleep = (ms: number) => {
    clock.ms += ms;
    return Promise.resolve();
  };
  const notifier = new ApprovalNotifier({
    target: () => ({ url, secret: SECRET }),
    showCaller: (caller) => caller,
    pageOf: (id) => `https://ops.example.com/console/approvals/${id}`,
    observer: { log: (...line) => void lines.push(line) },
    now: () => clock.ms,
    timeoutMs: PATIENT_MS,
    baseMs: 0,
    testing: { clock: { monotonic: () => clock.ms, sleep }, random: () => 1 },
    ...changes,
  });
  onTestFinished(() => notifier.close());
  return { notifier, lines, clock };
}

const pending = (id = "01M7HXRMR83H8Q9JKGBAVMDXX5", leftMs = PATIENT_MS): ApprovalChange => ({
  id,
  state: "pending",
  tenant: "acme",
  caller: '["key","acme","ci"]',
  tool: "shop__refund",
  expiresAt: new Date(NOW_MS + leftMs).toISOString(),
});

test("the example of Standard Webhooks has the signature that its libraries compute", () => {
  const signed = signWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: "1614265330",
    body: '{"test": 2432232314}',
  });
  expect(signed).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("a notice has id, tool, tenant, caller, expiry and page, no arguments, and a signature", async () => {
  const { url, got } = await startReceiver();
  const { notifier, lines } = startNotifier(url);
  const change = pending();
  // A store may hand over more than it has to.
  notifier.notify({ ...change, arguments: '{"secret":1}' } as ApprovalChange);
  await expect.poll(() => got).toHaveLength(1);
  const { headers, body } = got[0] as Got;
  expect(JSON.parse(body)).toEqual({
    type: "approval.pending",
    id: change.id,
    tool: "shop__refund",
    tenant: "acme",
    caller: '["key","acme","ci"]',
    expiresAt: change.expiresAt,
    url: `https://ops.example.com/console/approvals/${change.id}`,
  });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": change.id,
    "webhook-timestamp": String(NOW_MS / 1_000),
  });
  const content = `${change.id}.${headers["webhook-timestamp"]}.${body}`;
  const digest = createHmac("sha256", Buffer.alloc(32, 7)).update(content).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${digest}`);
  expect(lines).toEqual([]);
});

test("a receiver that fails is asked again with the same id, six times in all", async () => {
  const { url, got } = await startReceiver([500, 503]);
  const { notifier, lines } = startNotifier(url);
  notifier.notify(pending());
  await expect.poll(() => got).toHaveLength(3);
  expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(lines).toEqual([]);

  const other = await startReceiver(Array(20).fill(500));
  const failing = startNotifier(other.url);
  failing.notifier.notify(pending());
  await expect.poll(() => failing.lines).toHaveLength(1);
  expect(other.got).toHaveLength(6);
});

test("a receiver that refuses or sends elsewhere is not asked again", async () => {
  const elsewhere = await startReceiver();
  for (const status of [301, 307, 401, 404]) {
    const { url, got } = await startReceiver([status], { location: elsewhere.url });
    const { notifier, lines } = startNotifier(url);
    notifier.notify(pending());
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toEqual([
      "warn",
      "Nobody was notified of an approval that waits.",
      { approval: pending().id, why: "core/misconfigured", lost: 1 },
    ]);
    expect(got).toHaveLength(1);
  }
  expect(elsewhere.got).toEqual([]);
});

test("a receiver that never answers is given up in time, and asked again", async () => {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
  onTestFinished(() => timeout.mockRestore());
  const { url, got } = await startReceiver([undefined]);
  const { notifier, lines } = startNotifier(url);
  notifier.notify(pending());
  await expect.poll(() => got).toHaveLength(1);
  expect(timeout).toHaveBeenCalledWith(PATIENT_MS);
  late.abort();
  await expect.poll(() => got).toHaveLength(2);
  expect(lines).toEqual([]);
});

test("nothing is sent past the expiry, and one that has expired is not sent at all", async () => {
  const { url, got } = await startReceiver(Array(20).fill(500));
  const { notifier, lines, clock } = startNotifier(url, { baseMs: 20_000 });
  notifier.notify(pending("slow", 50_000));
  await expect.poll(() => lines).toHaveLength(1);
  expect(got).toHaveLength(3);
  clock.ms += 20_000;
  notifier.notify(pending("expired", 50_000));
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ 2: { approval: "expired", why: "the approval has expired", lost: 1 } });
  expect(got).toHaveLength(3);
});

test("2,000 at once: at most eight attempts at a time, 1,000 wait, the rest is one line", async () => {
  const { url, got, unanswered } = await startReceiver(Array(2_000).fill(undefined));
  const { notifier, lines, clock } = startNotifier(url);
  for (let n = 0; n < 2_000; n++) notifier.notify(pending(`A${n}`));
  const why = "too many notices wait";
  expect(lines).toEqual([
    ["warn", "Nobody was notified of an approval that waits.", { approval: "A1008", why, lost: 1 }],
  ]);
  for (let sent = 8; sent <= 80; sent += 8) {
    await expect.poll(() => got.length).toBeGreaterThanOrEqual(sent);
    expect(got).toHaveLength(sent);
    for (const response of unanswered.splice(0)) response.writeHead(204).end();
  }
  // Whatever was lost is in the next line.
  clock.ms += 10_000;
  for (let n = 0; n < 100; n++) notifier.notify(pending(`B${n}`));
  expect(lines[1]).toMatchObject({ 2: { why, lost: 992 } });
});

test("a receiver that is down costs one line for many, and closing ends all of it", async () => {
  const { url, server } = await startReceiver();
  server.close();
  const { notifier, lines, clock } = startNotifier(url);
  for (let n = 0; n < 50; n++) notifier.notify(pending(`B${n}`));
  await expect.poll(() => lines).toHaveLength(1);
  // From now on the next one that is lost would be a line.
  clock.ms += 10_000;
  notifier.close();
  notifier.notify(pending());
  const other = await startReceiver();
  startNotifier(other.url).notifier.notify(pending());
  await expect.poll(() => other.got).toHaveLength(1);
  expect(lines).toHaveLength(1);
});

test("without a receiver nothing happens", () => {
  const { notifier, lines } = startNotifier("", { target: () => undefined });
  notifier.notify(pending());
  expect(lines).toEqual([]);
});
