import { type HeldTimers, holdTimers } from "@recourse/test-kit/held-timers";
import { type AnyServer, connectPair, ERAS, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { guard } from "../../../src/server/index.ts";

/** It passes where a handler lets it pass. An answer that waited for it otherwise would never come. */
const DEADLINE_MS = 3_600_000;
let deadline: HeldTimers;
beforeEach(() => {
  deadline = holdTimers(DEADLINE_MS);
});
afterEach(() => deadline[Symbol.dispose]());
/** Lets the deadline pass once the handler has returned. */
const passDeadline = () => void setImmediate(() => deadline.fire());

const circle: Record<string, unknown> = {};
circle["self"] = circle;

/** Ways in which a handler does not give an answer that can be sent. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  "never resolves": () => new Promise(passDeadline),
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case needs.
  "a thenable that never calls back": () => ({ then: passDeadline }),
  "resolves after the deadline": () => {
    passDeadline();
    return new Promise((resolve) => setImmediate(() => setImmediate(resolve, {})));
  },
  "returns undefined": () => undefined,
  "returns null": () => null,
  "returns a string": () => "done",
  "returns an array": () => [{ type: "text", text: "done" }],
  "returns a BigInt inside": () => ({ content: [], messages: [], contents: [], completion: { values: [], n: 1n } }),
  "returns a cycle": () => ({ content: [], messages: [], contents: [], completion: { values: [] }, circle }),
  "returns a getter that throws": () => ({
    content: [],
    messages: [],
    contents: [],
    completion: { values: [] },
    get secret() {
      throw new Error("no");
    },
  }),
  "throws null": () => {
    throw null;
  },
  "throws a hostile proxy": () => {
    throw new Proxy({}, { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() });
  },
  "returns more text than a string holds": () => {
    const text = "x".repeat(2 ** 28 + 2 ** 27);
    return {
      content: [
        { type: "text", text },
        { type: "text", text },
      ],
      contents: [
        { uri: "res://a", text },
        { uri: "res://b", text },
      ],
      messages: [],
      completion: { values: [] },
      more: [{ text }, { text }],
    };
  },
};

const METHODS: Readonly<Record<string, (pair: SdkPair, way: string) => Promise<unknown>>> = {
  "tools/call": ({ client }, way) => client.callTool({ name: "t", arguments: { way } }),
  "resources/read": ({ client }, way) => client.readResource({ uri: `res://${encodeURIComponent(way)}` }),
  "prompts/get": ({ client }, way) => client.getPrompt({ name: "p", arguments: { way } }),
  "custom/method": ({ client }, way) => client.request({ method: "custom/method", params: { way } }, z.looseObject({})),
};

function build(server: AnyServer, templateOf: (uri: string) => unknown): AnyServer {
  const run = (way: unknown) => WAYS[String(way)]?.() as never;
  guard(server, { sink: () => {}, deadlineMs: DEADLINE_MS });
  server.registerTool("t", { inputSchema: z.object({ way: z.string() }) as never }, (({ way }: { way: string }) =>
    run(way)) as never);
  server.registerResource("r", templateOf("res://{way}"), {}, ((_: URL, { way }: { way: string }) =>
    run(decodeURIComponent(way))) as never);
  server.registerPrompt("p", { argsSchema: { way: z.string() } as never }, (({ way }: { way: string }) =>
    run(way)) as never);
  const low = (server as unknown as { server: { fallbackRequestHandler: unknown } }).server;
  low.fallbackRequestHandler = async (request: { params?: { way?: string } }) => run(request.params?.way);
  return server;
}

describe.each(ERAS)("%s: every request gets an answer", async (era) => {
  const { ResourceTemplate } = (await import(
    era === "v1" ? "@modelcontextprotocol/sdk/server/mcp.js" : "@modelcontextprotocol/server"
  )) as { ResourceTemplate: new (uri: string, options: object) => unknown };
  const pair = await connectPair(era, (server) =>
    build(server, (uri) => new ResourceTemplate(uri, { list: undefined })),
  );
  afterAll(() => pair.close());

  test.each(Object.keys(METHODS).flatMap((method) => Object.keys(WAYS).map((way) => [method, way] as const)))(
    "%s that %s",
    async (method, way) => {
      const answer = await Promise.resolve(METHODS[method]?.(pair, way)).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      const { message } = pair.take() as { message: { result?: { isError?: boolean }; error?: object } };
      expect(message === undefined ? "error" in answer : message.error !== undefined || message.result?.isError).toBe(
        true,
      );
    },
  );
});
