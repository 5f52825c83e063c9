// What a model reads through the client kit about calls that the gateway did not send.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { render } from "@recourse/core";
import { recourse } from "@recourse/core/client";
import { expect, it, onTestFinished } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

async function connect(url: URL) {
  const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  // The kit does not wait between its attempts.
  return recourse(client, { testing: { clock: { sleep: async () => {} } }, retry: { breaker: false, budget: false } });
}

async function textsOf(mcp: Awaited<ReturnType<typeof connect>>, calls: number) {
  const texts: string[] = [];
  for (let at = 0; at < calls; at++) {
    const outcome = await mcp.call("up__echo", {}, { repeatable: true });
    texts.push(outcome.ok ? "ok" : render(outcome.fault, { for: "model" }));
  }
  return texts;
}

it("a call that the breaker of the gateway held back was not tried, however often it was made", async () => {
  // The breaker of the gateway stays open for all attempts.
  holdTime();
  let answer = answerWith(OK);
  const stub = await startStubUpstream((request, response) => answer(request, response));
  const gateway = await startTestGateway({
    breaker: { failures: 1, pauseMs: 20_000, maxPauseMs: 20_000 },
    upstreams: [httpUpstream(stub.url)],
  });
  const mcp = await connect(gateway.url);
  expect(await textsOf(mcp, 1)).toEqual(["ok"]);
  answer = (_, response) => void response.writeHead(503).end();
  await textsOf(mcp, 1);
  const sent = stub.received.length;
  for (const text of await textsOf(mcp, 4)) {
    expect(text).toMatch(/so this call was not sent\. (?:Wait|Repeat this call in) \d+ seconds/);
    expect(text).not.toMatch(/tried|same way/);
  }
  expect(stub.received).toHaveLength(sent);
});

it("a call of an upstream that cannot be reached was not tried", async () => {
  const stub = await startStubUpstream(answerWith(OK));
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const mcp = await connect(gateway.url);
  expect(await textsOf(mcp, 1)).toEqual(["ok"]);
  await stub.close();
  for (const text of await textsOf(mcp, 4)) {
    expect(text).toContain("could not be reached; the call was not sent.");
    expect(text).not.toMatch(/tried|same way/);
    expect(text).toContain("Report the failure instead of calling again.");
  }
});
