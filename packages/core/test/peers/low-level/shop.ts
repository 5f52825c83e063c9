// A server written with the SDK's low-level `Server`, as most published ones are: every answer is the author's own.
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import * as schemas from "@modelcontextprotocol/sdk/types.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import type { SdkVersion } from "@recourse/test-kit/sdk-pairs";
import { core } from "../../../src/reasons/index.ts";
import { declares, type GuardOptions, guard } from "../../../src/server/index.ts";

export const SECRET = "postgres://app:hunter2@10.0.0.5/shop";

/** The handler of a request, as both versions call it. */
type Handler = (request: { params: Readonly<Record<string, unknown>> }, context: Context) => unknown;

/** What both versions tell a handler. */
interface Context {
  readonly signal?: AbortSignal;
  readonly mcpReq?: { readonly signal: AbortSignal };
}

/** A low-level server that is not connected yet. */
export interface LowLevelServer {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  /** Sets the handler of a method. */
  on(method: string, handler: Handler): void;
}

const SCHEMAS: Readonly<Record<string, unknown>> = {
  "tools/list": schemas.ListToolsRequestSchema,
  "tools/call": schemas.CallToolRequestSchema,
  "resources/list": schemas.ListResourcesRequestSchema,
  "resources/read": schemas.ReadResourceRequestSchema,
  "prompts/list": schemas.ListPromptsRequestSchema,
  "prompts/get": schemas.GetPromptRequestSchema,
  "completion/complete": schemas.CompleteRequestSchema,
};

const INFO = { name: "shop", version: "1.0.0" };
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

/** A low-level server of either version. Version 1 names a method by its schema, version 2 by its name. */
export function createLowLevel(version: SdkVersion): LowLevelServer {
  const options = { capabilities: CAPABILITIES };
  return withOn(version === "v1" ? new ServerV1(INFO, options) : new ServerV2(INFO, options), version);
}

/** A server with a method that sets handlers in either version. */
export function withOn(server: object, version: SdkVersion): LowLevelServer {
  const set = (server as ServerV2).setRequestHandler.bind(server) as (what: unknown, handler: Handler) => void;
  const on: LowLevelServer["on"] = (method, handler) => set(version === "v1" ? SCHEMAS[method] : method, handler);
  return Object.assign(server, { on }) as never;
}

/** What the handlers of a shop count and are told. */
export interface Ledger {
  orders: number;
  /** The aborts that the handler of `waits` was told of. */
  aborted: (() => void) | undefined;
  /** The calls of the list of tools. */
  lists: number;
}

export const newLedger = (): Ledger => ({ orders: 0, aborted: undefined, lists: 0 });

const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });
const text = (said: string) => ({ type: "text", text: said });

export const TOOLS = [
  { name: "find", inputSchema: object({ n: { type: "integer" } }, ["n"]), annotations: { readOnlyHint: true } },
  { name: "order", inputSchema: object({ n: { type: "integer", minimum: 1 } }, ["n"]) },
  { name: "link", inputSchema: object({}), outputSchema: object({ link: { type: "string" } }, ["link"]) },
  { name: "waits", inputSchema: object({}) },
  { name: "waits_reading", inputSchema: object({}), annotations: { readOnlyHint: true } },
  { name: "returns", inputSchema: object({}) },
  { name: "leaks", inputSchema: object({}) },
  { name: "states", inputSchema: object({}), _meta: declares(core.conflict) },
  { name: "broken", inputSchema: object({}) },
  { name: "bigint", inputSchema: object({}), annotations: { readOnlyHint: true } },
];

/** The handler of `tools/call`, with one `switch`, as servers have it. */
function callHandler(ledger: Ledger): Handler {
  return ({ params }, context) => {
    const { name, arguments: args } = params as { name: string; arguments?: { n?: unknown } };
    switch (name) {
      case "find":
      case "link":
        throw new Error(`connect ECONNREFUSED ${SECRET}`);
      case "order":
        ledger.orders += 1;
        return { content: [text(`order ${ledger.orders} of ${String(args?.n)}`)] };
      case "waits":
      case "waits_reading":
        return new Promise((_, reject) => {
          const signal = context.mcpReq?.signal ?? context.signal;
          signal?.addEventListener("abort", () => {
            ledger.aborted?.();
            reject(new Error("aborted"));
          });
        });
      case "returns":
        return { isError: true, content: [text("Insufficient funds.")] };
      case "leaks":
        return { isError: true, content: [text(`connect ECONNREFUSED ${SECRET}`)] };
      case "states":
        throw core.conflict({ what: "order 7" });
      case "broken":
        return { content: "no list" };
      case "bigint":
        return { content: [text("x")], structuredContent: { n: 1n } };
      case "hidden":
        return { content: [text("found")] };
      case "hidden_broken":
        throw new Error("order 7 not found");
      case "returns_unknown":
        return { isError: true, content: [text(`Unknown tool: ${name}`)] };
      default:
        throw new Error(`Unknown tool: ${name}`);
    }
  };
}

/** How a shop is made. */
export interface ShopOptions {
  readonly options?: GuardOptions;
  readonly ledger?: Ledger;
  /** Whether the handlers are set before the guard. @default they are set after it */
  readonly isSetBefore?: boolean;
}

/** Creates a guarded shop. */
export function createShop(version: SdkVersion, shop: ShopOptions = {}): LowLevelServer {
  const { options = {}, ledger = newLedger(), isSetBefore = false } = shop;
  const server = createLowLevel(version);
  if (!isSetBefore) guard(server, { sink: () => {}, ...options });
  server.on("tools/list", () => {
    ledger.lists += 1;
    return { tools: TOOLS };
  });
  server.on("tools/call", callHandler(ledger));
  server.on("resources/list", () => ({ resources: [{ uri: "shop://prices", name: "prices" }] }));
  server.on("resources/read", ({ params }) => {
    const { uri } = params as { uri: string };
    if (uri !== "shop://prices") throw new Error(`Unknown resource: ${uri}`);
    throw Object.assign(new Error(SECRET), { code: 1045, data: { sql: SECRET } });
  });
  server.on("prompts/list", () => ({ prompts: [{ name: "greet" }] }));
  server.on("prompts/get", ({ params }) => {
    const { name } = params as { name: string };
    if (name !== "greet") throw new Error(`Unknown prompt: ${name}`);
    throw new Error(SECRET);
  });
  server.on("completion/complete", () => {
    throw null;
  });
  if (isSetBefore) guard(server, { sink: () => {}, ...options });
  return server;
}
