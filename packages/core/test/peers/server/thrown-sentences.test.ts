// What a client reads when a handler of prompts, resources or completions throws a sentence, on every server of the SDK.
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { openHttpPair, openPair } from "@recourse/test-kit/fixtures";
import { type AnyClient, type AnyServer, ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { stampFault } from "../../../src/fault/amend.ts";
import { type Fault, readFault } from "../../../src/index.ts";
import { core } from "../../../src/reasons/index.ts";
import { type GuardOptions, guard, type Incident } from "../../../src/server/index.ts";
import { formatId } from "../../../src/wire/ids.ts";
import { createLowLevel } from "../low-level/shop.ts";

const SENTENCE = "There are no prices for 2019. Ask for 2020 or later.";

interface Thrown {
  readonly error: (era: Era) => unknown;
  readonly options?: GuardOptions;
}

/** A client of a server whose handlers throw. */
async function open(era: Era, isLowLevel: boolean, { error, options }: Thrown): Promise<AnyClient> {
  const fails = () => {
    throw error(era);
  };
  const declared = (made: AnyServer) => {
    const server = guard(made, { sink: () => {}, ...options });
    server.registerResource("prices", "shop://prices", {}, fails as never);
    server.registerPrompt("greet", {}, fails as never);
    return server;
  };
  const lowLevel = () => {
    const server = guard(createLowLevel(sdkVersion(era)), { sink: () => {}, ...options });
    server.on("resources/list", () => ({ resources: [{ uri: "shop://prices", name: "prices" }] }));
    server.on("prompts/list", () => ({ prompts: [{ name: "greet" }] }));
    for (const method of ["resources/read", "prompts/get", "completion/complete"]) server.on(method, fails);
    return server;
  };
  const pair = isLowLevel ? await openHttpPair(era, lowLevel as never) : await openPair(era, declared);
  return pair.client;
}

/** What a client gets of a tool whose handler throws or returns. */
async function callTool(era: Era, handler: () => unknown, options: GuardOptions = {}) {
  const pair = await openPair(era, (made) => {
    const server = guard(made, { sink: () => {}, ...options });
    server.registerTool("list", {}, handler as never);
    return server;
  });
  const { content, _meta } = (await pair.client.callTool({ name: "list" })) as {
    content: readonly { readonly text: string }[];
    _meta: Readonly<Record<string, unknown>>;
  };
  return { texts: content.map(({ text }) => text), fault: readFault(_meta["recourse/fault"]) };
}

const METHODS = {
  "resources/read": (client) => client.readResource({ uri: "shop://prices" }),
  "prompts/get": (client) => client.getPrompt({ name: "greet" }),
  "completion/complete": (client) => {
    const asked = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "a", value: "b" } };
    return (client as unknown as { complete(params: object): Promise<unknown> }).complete(asked);
  },
} as const satisfies Record<string, (client: AnyClient) => Promise<unknown>>;

type Method = keyof typeof METHODS;

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly fault: Fault | undefined;
}

async function ask(client: AnyClient, method: Method): Promise<Answer> {
  const error = await METHODS[method](client).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { code, message, data } = error as { code: number; message: string; data?: Record<string, unknown> };
  // Version 1 of the client writes the code in front of the message.
  return { code, message: message.replace(/^MCP error -?\d+: /, ""), fault: readFault(data?.["recourse/fault"]) };
}

const CASES = (Object.keys(METHODS) as Method[]).flatMap((method) =>
  [true, false]
    .filter((isLowLevel) => isLowLevel || method !== "completion/complete")
    .map((low) => [method, low] as const),
);

describe.each(ERAS)("%s", (era) => {
  test.each(CASES)("%s, low-level: %s: the author's sentence stands alone", async (method, isLowLevel) => {
    const told: Incident[] = [];
    const options = { sink: (one: Incident) => void told.push(one) };
    const client = await open(era, isLowLevel, { error: () => new Error(SENTENCE), options });
    const { code, message, fault } = await ask(client, method);
    expect({ code, message }).toEqual({ code: -32603, message: SENTENCE });
    expect(fault).toMatchObject({ kind: "unknown", effect: "none", quote: { text: SENTENCE, from: "thrown" } });
    expect(fault?.incident).toBeUndefined();
    // The author finds the stack in the log.
    expect(told).toMatchObject([{ severity: "info", cause: { message: SENTENCE } }]);
  });

  test.each(CASES)("%s, low-level: %s: a credential is cut out of it", async (method, isLowLevel) => {
    const error = () => new Error("The price list has moved. The password is hunter2hunter2; ask Ann for the new list");
    const client = await open(era, isLowLevel, { error });
    const { message, fault } = await ask(client, method);
    expect(message).toMatch(/^The price list has moved\. .*\[removed\]; ask Ann for the new list\. If you report this/);
    expect(message.endsWith(` If you report this, give incident ${fault?.incident}.`)).toBe(true);
    expect(JSON.stringify([message, fault])).not.toContain("hunter2");
  });

  test.each(CASES)("%s, low-level: %s: an error of the protocol keeps its code", async (method, isLowLevel) => {
    const error = () =>
      sdkVersion(era) === "v1" ? new McpError(-32602, SENTENCE) : new ProtocolError(-32602, SENTENCE);
    const client = await open(era, isLowLevel, { error });
    const { code, message, fault } = await ask(client, method);
    expect({ code, message }).toEqual({ code: -32602, message: SENTENCE });
    expect(fault).toMatchObject({ kind: "invalid_input", quote: { text: SENTENCE } });
  });

  test.each(CASES)("%s, low-level: %s: an accident stays hidden", async (method, isLowLevel) => {
    const client = await open(era, isLowLevel, { error: () => new TypeError("prices is not iterable") });
    const { message, fault } = await ask(client, method);
    expect(message).not.toContain("iterable");
    expect(fault).toMatchObject({ kind: "internal" });
    const hidden = { foreignText: "hide" } as const;
    const hiding = await open(era, isLowLevel, { error: () => new Error(SENTENCE), options: hidden });
    expect(JSON.stringify(await ask(hiding, method))).not.toContain("2019");
  });

  describe("a tool whose sentence lost something names its incident", () => {
    const LEAK = "The list has moved. The password is hunter2hunter2; ask Ann for the new list";
    const CUT = "The list has moved. The password is [removed]; ask Ann for the new list";

    test("behind what it threw", async () => {
      const { texts, fault } = await callTool(era, () => {
        throw new Error(LEAK);
      });
      expect(texts).toEqual([`${CUT}. If you report this, give incident ${fault?.incident}.`]);
      expect(fault?.quote?.text).toBe(CUT);
    });

    test("and not twice", async () => {
      const fault = stampFault(core.unavailable.fault(), { incident: formatId(Date.now(), new Uint8Array(10)) });
      expect(fault.incident).toHaveLength(26);
      const text = `${LEAK}. If you report this, give incident ${fault.incident}.`;
      const returned = { isError: true, content: [{ type: "text", text }], _meta: { "recourse/fault": fault } };
      const { texts } = await callTool(era, () => returned, { speaksFaults: true });
      expect(texts.join().split(String(fault.incident))).toHaveLength(2);
    });
  });
});
