// A server of the official SDK, version 1 or 2, whose handlers fail in every way.
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { completable as completableV1 } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer as McpServerV1, ResourceTemplate as TemplateV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { UrlElicitationRequiredError as UrlRequiredV1 } from "@modelcontextprotocol/sdk/types.js";
import {
  completable as completableV2,
  inputRequired,
  McpServer as McpServerV2,
  MissingRequiredClientCapabilityError,
  ResourceTemplate as TemplateV2,
  UrlElicitationRequiredError as UrlRequiredV2,
} from "@modelcontextprotocol/server";
import { core, protocol } from "@recourse/core/reasons";
import { guard } from "@recourse/core/server";
import * as z from "zod";
import type { AnyServer, SdkVersion } from "./sdk-pairs.ts";

/** The text of every error that a handler throws by accident. It must not reach a client. */
export const FAILING_SECRET = "hunter2-swordfish";

const circular: Record<string, unknown> = {};
circular["self"] = circular;
const coded = (code: number) => Object.assign(new Error(FAILING_SECRET), { code, data: { sql: FAILING_SECRET } });
const ELICITATIONS = [{ mode: "url", elicitationId: "e1", url: "https://shop.example/pay", message: "Pay" }] as const;
const messages = [{ role: "user" as const, content: { type: "text" as const, text: "hi" } }];

function raise(thrown: unknown): never {
  throw thrown;
}

type Handlers = Readonly<Record<string, () => unknown>>;

export const FAILING_TOOLS = {
  "tool throws an Error": () => raise(new TypeError(FAILING_SECRET)),
  "tool throws a string": () => raise(FAILING_SECRET),
  "tool throws null": () => raise(null),
  "tool throws an object": () => raise({ message: FAILING_SECRET }),
  "tool throws with a cause": () => raise(new Error("outer", { cause: new Error(FAILING_SECRET) })),
  "tool throws an AggregateError": () => raise(new AggregateError([new Error(FAILING_SECRET)], FAILING_SECRET)),
  "tool throws a coded error": () => raise(coded(-32602)),
  "tool throws a reason": () => raise(core.rate_limited({}, { retry: { allowed: true, afterMs: 30_000 } })),
  "tool returns undefined": () => undefined,
  "tool returns a malformed result": () => ({ content: FAILING_SECRET }),
  "tool returns a BigInt": () => ({ content: [], structuredContent: { n: 1n } }),
  "tool returns a cycle": () => ({ content: [], structuredContent: circular }),
  "tool never ends": () => new Promise(() => {}),
} as const satisfies Handlers;

export const FAILING_RESOURCES = {
  "resource throws an Error": () => raise(new TypeError(FAILING_SECRET)),
  "resource throws code and data": () => raise(coded(1045)),
  "resource throws a reserved code": () => raise(coded(-32050)),
  "resource throws null": () => raise(null),
} as const satisfies Handlers;

export const registeredName = (name: string): string => name.replaceAll(" ", "_");

/** What differs between the versions. */
interface VersionApi {
  readonly completable: (schema: z.ZodString, complete: () => never) => z.ZodString;
  readonly shape: (shape: Record<string, z.ZodString>) => object;
  readonly template: (uri: string) => unknown;
  readonly registerMore: (server: AnyServer) => void;
}

const VERSION_APIS = {
  v1: {
    completable: completableV1 as never,
    shape: (shape) => shape,
    template: (uri) => new TemplateV1(uri, { list: undefined }),
    registerMore(server) {
      server.registerTool("wants_a_visit", {}, () => raise(new UrlRequiredV1([...ELICITATIONS])));
      const never = () => raise(new Error(FAILING_SECRET));
      (server as unknown as McpServerV1).experimental.tasks.registerToolTask(
        "must_be_a_task",
        { execution: { taskSupport: "required" } },
        { createTask: never, getTask: never, getTaskResult: never },
      );
    },
  },
  v2: {
    completable: completableV2 as never,
    shape: (shape) => z.object(shape),
    template: (uri) => new TemplateV2(uri, { list: undefined }),
    registerMore(server) {
      server.registerTool("wants_a_visit", {}, () => raise(new UrlRequiredV2([...ELICITATIONS])));
      const requiredCapabilities = { sampling: {} };
      server.registerTool("wants_sampling", {}, () =>
        raise(new MissingRequiredClientCapabilityError({ requiredCapabilities })),
      );
      server.registerTool("samples", {}, () =>
        inputRequired({ inputRequests: { answer: inputRequired.createMessage({ messages, maxTokens: 1 }) } }),
      );
    },
  },
} as const satisfies Record<SdkVersion, VersionApi>;

/** Creates the server, bare or guarded. */
export function createFailingServer(
  version: SdkVersion,
  { guarded }: { readonly guarded: boolean },
): McpServerV1 | McpServerV2 {
  const info = { name: "failing", version: "1.0.0" };
  const server =
    version === "v1"
      ? // biome-ignore lint/suspicious/noExplicitAny: the types of the SDK's own store do not match.
        new McpServerV1(info, { taskStore: new InMemoryTaskStore() as any })
      : new McpServerV2(info, { requestState: { verify: () => raise(new Error(FAILING_SECRET)) } });
  if (guarded) guard(server, { sink: () => {}, deadlineMs: 200 });
  registerAll(server as unknown as AnyServer, VERSION_APIS[version]);
  return server;
}

function registerAll(server: AnyServer, api: VersionApi): void {
  const empty = z.object({});
  for (const [name, run] of Object.entries(FAILING_TOOLS))
    server.registerTool(registeredName(name), { inputSchema: empty }, run);
  server.registerTool("wants", { inputSchema: z.object({ n: z.number() }) }, () => ({ content: [] }));
  const throwing = z.number().refine(() => raise(new Error(FAILING_SECRET)));
  server.registerTool("refines", { inputSchema: z.object({ n: throwing }) }, () => ({ content: [] }));
  const off = () => ({ content: [], structuredContent: { n: FAILING_SECRET } });
  server.registerTool("off", { inputSchema: empty, outputSchema: z.object({ n: z.number() }) }, off);
  server.registerTool("disabled", { inputSchema: empty }, () => ({ content: [] })).disable();
  for (const [name, run] of Object.entries(FAILING_RESOURCES))
    server.registerResource(registeredName(name), `res://${registeredName(name)}`, {}, run);
  server.registerResource("template", api.template("item://{id}"), {}, () => raise(new TypeError(FAILING_SECRET)));
  server.registerPrompt("throws", {}, () => raise(new TypeError(FAILING_SECRET)));
  server.registerPrompt("refuses", {}, () => raise(protocol.invalid_params()));
  server.registerPrompt("needs", { argsSchema: api.shape({ city: z.string() }) }, () => ({ messages: [] }));
  const city = api.completable(z.string(), () => raise(new TypeError(FAILING_SECRET)));
  server.registerPrompt("completes", { argsSchema: api.shape({ city }) }, () => ({ messages: [] }));
  api.registerMore(server);
}
