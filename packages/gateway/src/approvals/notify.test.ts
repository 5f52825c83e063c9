import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ApprovalChange } from "./approvals.ts";
import { ApprovalNotifier, type NotifierOptions, signWebhook } from "./notify.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A request that the receiver got. */
interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real receiver that answers with the given statuses in turn, then with 204. Undefined never answers. */
async function startReceiver(statuses: readonly (number | undefined)[] = [], headers: Record<string, string> = {}) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const status = got.length < statuses.length ? statuses[got.length] : 204;
    got.push({ headers: request.headers, body });
    if (status !== undefined) response.writeHead(status, headers).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, got, server };
}

function startNotifier(url: string, changes: Partial<NotifierOptions> = {}) {
  const lines: unknown[] = [];
  const notifier = new ApprovalNotifier({
    target: () => ({ url, secret: SECRET }),
    showCaller: (caller) => caller,
    pageOf: (id) => `https://ops.example.com/console/approvals/${id}`,
    observer: { log: (...line) => void lines.push(line) },
    now: Date.now,
    baseMs: 10,
    ...changes,
  });
  onTestFinished(() => notifier.close());
  return { notifier, lines };
}

const pending = (id = "01M7HXRMR83H8Q9JKGBAVMDXX5", leftMs = 60_000): ApprovalChange => ({
  id,
  state: "pending",
  tenant: "acme",
  caller: '["key","acme","ci"]',
  tool: "shop__refund",
  expiresAt: new Date(Date.now() + leftMs).toISOString(),
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
  expect(headers).toMatchObject({ "content-type": "application/json", "webhook-id": change.id });
  expect(Math.abs(Date.now() / 1_000 - Number(headers["webhook-timestamp"]))).toBeLessThan(10);
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
  await expect.poll(() => failing.lines, { timeout: 10_000 }).toHaveLength(1);
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
  const { url, got } = await startReceiver([undefined]);
  const { notifier, lines } = startNotifier(url, { timeoutMs: 100 });
  notifier.notify(pending());
  await expect.poll(() => got).toHaveLength(2);
  expect(lines).toEqual([]);
});

test("nothing is sent past the expiry, and one that has expired is not sent at all", async () => {
  const { url, got } = await startReceiver(Array(20).fill(500));
  const { notifier, lines } = startNotifier(url, { baseMs: 400 });
  const before = Date.now();
  notifier.notify(pending(undefined, 300));
  await expect.poll(() => lines).toHaveLength(1);
  expect(Date.now() - before).toBeLessThan(2_000);
  const sent = got.length;
  notifier.notify(pending(undefined, -1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(got).toHaveLength(sent);
});

test("2,000 at once: at most eight attempts at a time, 1,000 wait, the rest is one line", async () => {
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    request.resume().on("end", () =>
      setTimeout(() => {
        running -= 1;
        response.writeHead(204).end();
      }, 2),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { notifier, lines } = startNotifier(`http://127.0.0.1:${port}/`);
  let answered = 0;
  server.on("request", () => (answered += 1));
  const began = performance.now();
  for (let n = 0; n < 2_000; n++) notifier.notify(pending(`A${n}`));
  // Nothing waits: the queue takes them all in a moment.
  expect(performance.now() - began).toBeLessThan(500);
  await expect.poll(() => answered, { timeout: 20_000 }).toBe(1_008);
  expect(most).toBeLessThanOrEqual(8);
  expect(lines).toEqual([
    [
      "warn",
      "Nobody was notified of an approval that waits.",
      expect.objectContaining({ why: "too many notices wait" }),
    ],
  ]);
});

test("a receiver that is down costs one line for many, and closing ends all of it", async () => {
  const { url, server } = await startReceiver();
  server.close();
  const { notifier, lines } = startNotifier(url);
  for (let n = 0; n < 50; n++) notifier.notify(pending(`B${n}`));
  await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1);
  notifier.close();
  notifier.notify(pending());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lines).toHaveLength(1);
});

test("without a receiver nothing happens", () => {
  const { notifier, lines } = startNotifier("", { target: () => undefined });
  notifier.notify(pending());
  expect(lines).toEqual([]);
});
