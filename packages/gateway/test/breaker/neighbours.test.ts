import { eventually } from "@recourse/test-kit/eventually";
import { EVERYDAY_SENTENCES } from "@recourse/test-kit/everyday-sentences";
import fc from "fast-check";
import { expect, it } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { callTool } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, sendJson, startStubUpstream } from "../support/stub-upstream.ts";

/** A breaker that opens soon and stays open for as long as the test runs. */
const BREAKER = { failures: 2, pauseMs: 600_000, maxPauseMs: 600_000 };

const says = (text: string) =>
  answerWith(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":${JSON.stringify(text)}}]}`);
const states = (kind: string, group: string): StubAnswer =>
  answerWith(
    `{"resultType":"complete","isError":true,"content":[{"type":"text","text":"It failed."}],"_meta":{"recourse/fault":{"v":1,"kind":"${kind}","class":"${group}","reason":"shop/failed","message":"It failed.","recourse":[{"do":"stop"}],"effect":"possible","origin":{"layer":"server"},"basis":"stated"}}}`,
  );
const status =
  (code: number): StubAnswer =>
  (_, response) =>
    void response.writeHead(code).end();

/** How a call of one tool may fail while the server answers others. */
const FAILURES: readonly StubAnswer[] = [
  says("Insufficient funds on this account."),
  says("Service unavailable"),
  says("Error executing tool pay: boom"),
  states("internal", "terminal"),
  states("unavailable", "dependency"),
  states("overloaded", "retryable"),
  ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"Broken"}}`),
  status(401),
  status(429),
  status(500),
  status(502),
  status(503),
  status(504),
  (_, response) => void response.destroy(),
  (_, response) => void response.end("this is no answer"),
];

async function world(answer: StubAnswer, onIncident = () => {}) {
  const stub = await startStubUpstream(answer, ["echo", "find", "pay"]);
  const upstreams = [httpUpstream(stub.url, { timeoutMs: 600_000 })];
  const gateway = await startTestGateway({ breaker: BREAKER, upstreams }, { sink: onIncident });
  return { gateway, stub };
}

interface SentFault {
  readonly reason: string;
  readonly incident?: string;
}

async function call(
  url: URL,
  tool: string,
  asked: Parameters<typeof callTool>[2] = {},
): Promise<SentFault | undefined> {
  const { result, error } = JSON.parse((await callTool(url, tool, asked)).text);
  return (result?._meta ?? error?.data)?.["recourse/fault"];
}

it("everyday sentences of a tool open no breaker, and are no incidents unless their text was removed", async () => {
  let sentence = "";
  const incidents: string[] = [];
  const { gateway } = await world(
    (request, response) => says(sentence)(request, response),
    () => incidents.push(sentence),
  );
  for (const [text, reason] of EVERYDAY_SENTENCES) {
    sentence = text;
    // Callers cannot sign in at an upstream, so the gateway does not guess that.
    const known = reason === "auth/unauthorized" ? "tool/failed" : reason;
    expect(await call(gateway.url, "pay")).toMatchObject({ reason: known });
  }
  // Callers cannot sign in at an upstream.
  expect(incidents).toEqual(["Not logged in"]);
});

/** A call of a caller in a hurry, which gets no answer in time. */
const HURRIED = { args: '{"hurried":true}', deadlineMs: 20 };

it("law 14: no failure of one tool, and no haste of one caller, keeps a call of another tool from being sent", async () => {
  holdTime();
  let heldBack = 0;
  const traffic = fc.array(fc.constantFrom("pay", "find", "echo", "hurried"), { minLength: 8, maxLength: 20 });
  for (const [number, failing] of FAILURES.entries()) {
    await fc.assert(
      // The number shows which failure it was.
      fc.asyncProperty(fc.constant(number), traffic, async (_, calls) => {
        const { gateway, stub } = await world((request, response) => {
          if (request.text.includes('"name":"pay"')) return failing(request, response);
          if (!request.text.includes(HURRIED.args)) return answerWith(OK)(request, response);
        });
        for (const one of calls) {
          const before = stub.received.length;
          if (one === "hurried") {
            const late = call(gateway.url, "echo", HURRIED);
            await eventually(() => expect(stub.received).toHaveLength(before + 1));
            await pass(HURRIED.deadlineMs);
            expect(await late).toMatchObject({ reason: "core/timeout" });
          } else {
            const fault = await call(gateway.url, one);
            if (one !== "pay") expect(fault).toBeUndefined();
            else if (stub.received.length === before) heldBack += 1;
          }
        }
        await gateway.close();
        await stub.close();
      }),
      { numRuns: 4, examples: [[number, [...Array(5).fill("pay"), "find", "hurried", "echo"]]] },
    );
  }
  // Without calls that were held back the law would say little.
  expect(heldBack).toBeGreaterThan(20);
});
