// Clients of the official SDK in the older era answer servers of the SDK that ask in the middle of a call.
import { startConformanceServer } from "@recourse/test-kit/conformance-server";
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { startAsker } from "../held/asking-server.ts";
import { keyed, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream, stdioUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { connectAsked, textIn } from "./sdk-clients.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

beforeEach(holdTime);

const child = (name: string) => new URL(name, import.meta.url).pathname;

/** Servers of each version by each way to reach them. */
const SERVERS: Readonly<Record<string, () => Promise<UpstreamConfig>>> = {
  "v1 over HTTP": () => overHttp("v1"),
  "v2 over HTTP": () => overHttp("v2"),
  "v1 over stdio": async () => overStdio("older-child.ts", "v1"),
  "v2 over stdio": async () => overStdio("older-child.ts", "v2"),
};

async function overHttp(version: "v1" | "v2"): Promise<UpstreamConfig> {
  const server = await startAsker(version);
  onTestFinished(() => server.close());
  return httpUpstream(server.url, { era: "2025-11-25" });
}

function overStdio(name: string, ...args: string[]): UpstreamConfig {
  const command = [process.execPath, "--conditions=@recourse/source", "--no-warnings", child(name), ...args] as const;
  return stdioUpstream(command, { per: "caller" });
}

describe.each(Object.keys(SERVERS))("a server %s", (kind) => {
  it.each(["v1", "v2"] as const)("gets the answers of a client %s, at one replica", async (version) => {
    const upstream = await SERVERS[kind]?.();
    const gateway = await startTestGateway(keyed({ upstreams: upstream === undefined ? [] : [upstream] }));
    const asked: unknown[] = [];
    const client = await connectAsked(version, [gateway.url], {
      elicit: (params) => void asked.push(params["message"]),
    });
    const answer = textIn(await client.callTool({ name: "up__together" }));
    expect(answer).toContain('"city":"Rome"');
    expect(answer).toContain('"text":"word"');
    expect(answer).toContain("file:///home/ada");
    expect(textIn(await client.callTool({ name: "up__ask", arguments: { times: 3 } }))).toBe(
      Array.from({ length: 3 }, () => '{"action":"accept","content":{"city":"Rome"}}').join(),
    );
    expect(asked).toEqual(["up: Which city?", "up: Question 1?", "up: Question 2?", "up: Question 3?"]);
  });
});

describe.each(["v1", "v2"] as const)("a client %s", (version) => {
  it("whose person is too slow is told so, and can be used further", async () => {
    const server = await startAsker("v1");
    onTestFinished(() => server.close());
    const upstreams = [httpUpstream(server.url, { era: "2025-11-25" })];
    const gateway = await startTestGateway(keyed({ upstreams, questions: { waitMs: 200 } }));
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<undefined>();
    const client = await connectAsked(version, [gateway.url], {
      elicit() {
        asked.resolve();
        return answer.promise;
      },
    });
    const late = client.callTool({ name: "up__ask" });
    await asked.promise;
    await pass(200);
    expect(textIn(await late)).toContain("did not answer in time");
    answer.resolve(undefined);
    expect(textIn(await client.callTool({ name: "up__ask" }))).toContain('"city":"Rome"');
  });

  it("whose person declines, or fails, is heard", async () => {
    const server = await startAsker("v1");
    onTestFinished(() => server.close());
    const upstreams = [httpUpstream(server.url, { era: "2025-11-25" })];
    const gateway = await startTestGateway(keyed({ upstreams }));
    let says = (): unknown => ({ action: "decline" });
    const client = await connectAsked(version, [gateway.url], { elicit: () => says() });
    expect(textIn(await client.callTool({ name: "up__ask" }))).toBe('{"action":"decline"}');
    says = () => {
      throw new Error("no window");
    };
    expect(textIn(await client.callTool({ name: "up__ask" }))).toContain("no window");
  });
});

describe("two replicas that take turns", () => {
  it.each(["v1", "v2"] as const)("serve a client %s, with a key, and run its call once", async (version) => {
    const server = await startAsker(version);
    onTestFinished(() => server.close());
    const options = engines.shared({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] });
    const urls = [(await startTestGateway(options)).url, (await startTestGateway(options)).url];
    const client = await connectAsked(version, urls);
    for (let at = 0; at < 4; at++) {
      expect(textIn(await client.callTool({ name: "up__together" }))).toContain('"city":"Rome"');
    }
    const pay = () =>
      client.callTool({
        name: "up__pay",
        arguments: { to: "ACME" },
        _meta: { "recourse/call": { key: `sdk ${version}` } },
      });
    const first = textIn(await pay());
    expect(first).toContain('paid ACME: {"action":"accept"');
    await eventually(async () => expect(textIn(await pay())).toBe(first));
    expect(server.paid).toEqual(["ACME"]);
  });
});

describe.each(["v1", "v2"] as const)("a client %s behind a server of the newer era", (version) => {
  it.each([
    ["elicitation", "Hello, Ada!"],
    ["sampling", "Sampling response: word"],
    ["list_roots", "Roots: file:///home/ada"],
    ["request_state", "state-ok"],
    ["multiple_inputs", "word Ada, 1 roots"],
    ["multi_round", "Ada likes Ada"],
    ["capabilities", "answered"],
  ])("%s", async (name, said) => {
    const server = await startConformanceServer({ guarded: false });
    onTestFinished(() => server.close());
    const options = engines.shared({ upstreams: [httpUpstream(server.url)] });
    const urls = [(await startTestGateway(options)).url, (await startTestGateway(options)).url];
    const elicit = (params: Record<string, unknown>) => {
      const { properties } = params["requestedSchema"] as { properties: object };
      const content = Object.keys(properties).map((field) => [field, field === "ok" || "Ada"]);
      return { action: "accept", content: Object.fromEntries(content) };
    };
    const client = await connectAsked(version, urls, { elicit });
    const call = { name: `up__test_input_required_result_${name}`, arguments: {} };
    const key = { _meta: { "recourse/call": { key: `${version} ${name}` } } };
    expect(textIn(await client.callTool(call))).toBe(said);
    expect(textIn(await client.callTool({ ...call, ...key }))).toBe(said);
  });
});

it.each(["replica", "caller"] as const)(
  "a server of the newer era over stdio asks too, one for each %s",
  async (per) => {
    const upstream = { ...overStdio("newer-child.ts"), per } as UpstreamConfig;
    const gateway = await startTestGateway(keyed({ upstreams: [upstream] }));
    const client = await connectAsked("v1", [gateway.url]);
    expect(textIn(await client.callTool({ name: "up__ask" }))).toBe("to Rome");
  },
);
