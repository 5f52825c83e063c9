// Two gateways on one database tell a receiver about each approval that waits, once, and no call waits for it.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ApprovalsConfig } from "../../src/config/types.ts";
import { callOlder, faultIn } from "../idempotency/support/call.ts";
import { keyed, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

const KEY = Buffer.alloc(24, 3);

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => engines.close());

// No attempt to send times out, and no next one begins: a call that waited for a notice would wait for ever.
beforeEach(() => {
  holdTime();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
  onTestFinished(() => timeout.mockRestore());
});

/** A receiver that keeps only what has a right signature. `isSilent`: it never answers. */
async function startReceiver({ isSilent = false } = {}) {
  const notices: { readonly id: string; readonly text: string }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = request.headers;
    const digest = createHmac("sha256", KEY).update(`${id}.${at}.${text}`).digest("base64");
    if (signature === `v1,${digest}`) notices.push({ id: String(id), text });
    if (!isSilent) response.writeHead(202).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { notices, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

function approvalsTo(url: string): ApprovalsConfig {
  const secret = `whsec_${KEY.toString("base64")}`;
  const link = "https://ops.example.com/console/approvals/{id}";
  return { tools: ["up__*"], denied: [], expiresMs: 900_000, link, notify: { url, secret } };
}

const approvalIn = (answer: Awaited<ReturnType<typeof callOlder>>) => String(faultIn(answer).params?.["approval"]);

describe("notices", () => {
  it("of two gateways: one for an approval, whoever asks how often", async () => {
    const upstream = await startStubUpstream();
    const { notices, url } = await startReceiver();
    const changes = engines.shared({ upstreams: [httpUpstream(upstream.url)], approvals: approvalsTo(url) });
    const [one, two] = [await startTestGateway(changes), await startTestGateway(changes)];
    const args = '{"card":"4111 1111"}';
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => callOlder(n % 2 === 0 ? one.url : two.url, { args })),
    );
    const [id = "", ...others] = new Set(answers.map(approvalIn));
    expect(others).toEqual([]);
    await eventually(() => expect(notices).toHaveLength(1));
    expect(JSON.parse(notices[0]?.text ?? "")).toEqual({
      type: "approval.pending",
      id,
      tool: "up__echo",
      tenant: "acme",
      caller: '["key","acme","ci"]',
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      url: `https://ops.example.com/console/approvals/${id}`,
    });
    await callOlder(one.url, { args: '{"card":"4222"}' });
    await eventually(() => expect(notices).toHaveLength(2));
    expect(JSON.stringify(notices)).not.toMatch(/4111|4222|card/);
  });

  it("keep the caller as incidents do, and follow the configuration when it changes", async () => {
    const upstream = await startStubUpstream();
    const [first, second] = [await startReceiver(), await startReceiver()];
    const base = keyed({ upstreams: [httpUpstream(upstream.url)], approvals: approvalsTo(first.url) });
    const incidents = { keepMs: 60_000, samplesPerMinute: 1, callers: "digest", texts: "keep" } as const;
    const config = testConfig({ drainMs: 0, ...base, incidents });
    const gateway = await startTestGateway(config);
    await callOlder(gateway.url, { args: '{"n":1}' });
    await eventually(() => expect(first.notices).toHaveLength(1));
    expect(JSON.parse(first.notices[0]?.text ?? "").caller).toMatch(/^sha256:[0-9a-f]{40}$/);
    await gateway.reload({ ...config, approvals: approvalsTo(second.url) });
    await callOlder(gateway.url, { args: '{"n":2}' });
    await eventually(() => expect(second.notices).toHaveLength(1));
    expect(first.notices).toHaveLength(1);
  });

  it("never hold a call, whatever the receiver does", async () => {
    const upstream = await startStubUpstream();
    const silent = await startReceiver({ isSilent: true });
    for (const url of [silent.url, "http://127.0.0.1:1/hook"]) {
      const changes = keyed({ upstreams: [httpUpstream(upstream.url)], approvals: approvalsTo(url) });
      const { url: gateway } = await startTestGateway(changes);
      for (let n = 0; n < 10; n++) {
        const fault = faultIn(await callOlder(gateway, { args: `{"n":${n}}` }));
        expect(fault.reason).toBe("auth/approval_required");
      }
    }
    // Eight attempts are under way at a time.
    await eventually(() => expect(silent.notices).toHaveLength(8));
  });
});
