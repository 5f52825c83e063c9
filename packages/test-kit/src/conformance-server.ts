// A server for the official conformance suite, with the official SDK over HTTP on loopback: bare, or guarded.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  hostHeaderValidationResponse,
  type InputRequests,
  inputRequired,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  type RequestStateCodec,
  ResourceTemplate,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { guard, guardHandler } from "@recourse/core/server";
import { z } from "zod";
import { type LoopbackServer, listenOnLoopback, readWebRequest } from "./loopback.ts";

// What the official conformance suite expects of a server. The suite defines the names, texts and URIs.

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** One silent sample. */
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const textBlock = (value: string) => ({ type: "text", text: value }) as const;
const embedded = (uri: string, value: string, mimeType = "text/plain") =>
  ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;

const CONTENT = {
  test_simple_text: [textBlock("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" } as const],
  test_embedded_resource: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  test_multiple_content_types: [
    textBlock("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
  ],
  // The suite only checks which requests the server sends in the stream of this answer.
  test_streaming_elicitation: [textBlock("only a result")],
} as const;

const SUITE_RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
} as const;

interface Changes {
  toolsChanged(): void;
  promptsChanged(): void;
}

/** Registers the tools, resources, prompts and methods that send no request to the client. */
function serveContent(server: McpServer, changes: Changes): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    server.registerTool(name, { description: name }, () => ({ content: [...content] }));
  }
  serveFailure(server);
  serveNotifications(server, changes);
  serveSchemas(server);
  serveResources(server);
  servePrompts(server);
  server.server.setRequestHandler("logging/setLevel", () => ({}));
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function serveFailure(server: McpServer): void {
  server.registerTool("test_error_handling", { description: "Throws" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

function serveNotifications(server: McpServer, changes: Changes): void {
  const log = (context: ServerContext, data: string) =>
    context.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
  server.registerTool("test_tool_with_logging", { description: "Logs", inputSchema: z.object({}) }, async (_, ctx) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await log(ctx, data);
    }
    return { content: [textBlock("Tool with logging executed successfully")] };
  });
  server.registerTool(
    "test_logging_tool",
    { description: "Logs if asked to", inputSchema: z.object({}) },
    async (_, ctx) => {
      await ctx.mcpReq.log("info", "for those who set a log level");
      return { content: [textBlock("logged")] };
    },
  );
  server.registerTool(
    "test_tool_with_progress",
    { description: "Reports progress", inputSchema: z.object({}) },
    async (_, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? 0, progress, total: 100, message: `${progress} of 100` };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      }
      return { content: [textBlock(String(progressToken))] };
    },
  );
  const triggers = {
    test_trigger_tool_change: () => changes.toolsChanged(),
    test_trigger_prompt_change: () => changes.promptsChanged(),
  };
  for (const [name, announce] of Object.entries(triggers)) {
    server.registerTool(name, { description: "Announces a change" }, () => {
      announce();
      return { content: [textBlock("announced")] };
    });
  }
}

function serveSchemas(server: McpServer): void {
  const region = { type: "string", "x-mcp-header": "Region" } as const;
  const mirrored = fromJsonSchema<{ region?: string }>({
    type: "object",
    properties: { region, level: { type: "integer" } },
  });
  server.registerTool("test_x_mcp_header", { description: "Mirrors", inputSchema: mirrored }, ({ region }) => ({
    content: [textBlock(`region=${region ?? "none"}`)],
  }));
  const rich = fromJsonSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  });
  server.registerTool("json_schema_2020_12_tool", { description: "Echoes", inputSchema: rich }, (args) => ({
    content: [textBlock(JSON.stringify(args))],
  }));
}

function serveResources(server: McpServer): void {
  for (const [uri, content] of Object.entries(SUITE_RESOURCES)) {
    const name = uri.slice("test://".length);
    const config = { title: name, description: name, mimeType: content.mimeType };
    server.registerResource(name, uri, config, () => ({ contents: [{ uri, ...content }] }));
  }
  const mimeType = "application/json";
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { title: "t", description: "t", mimeType }, (uri, { id }) => ({
    contents: [
      { uri: uri.href, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
    ],
  }));
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function servePrompts(server: McpServer): void {
  const user = <T>(content: T) => ({ role: "user", content }) as const;
  const about = (title: string) => ({ title, description: title });
  server.registerPrompt("test_simple_prompt", about("Simple"), () => ({
    messages: [user(textBlock("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { ...about("Arguments"), argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(textBlock(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...about("Resource"), argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, "Embedded resource content for testing.")),
        user(textBlock("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", about("Image"), () => ({
    messages: [user(image), user(textBlock("Please analyze the image above."))],
  }));
}

// The tools of the conformance suite that ask the client for input: in the result (2026-07-28), or by a request (2025-11-25).
const NO_ARGUMENTS = z.object({});
const suiteText = (value: string) => ({ content: [{ type: "text", text: value } as const] });

type Fields = Record<string, { type: "string" } | { type: "boolean" }>;
const elicit = (message: string, properties: Fields) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
const sample = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
const askName = () => elicit("What is your name?", { name: { type: "string" } });

/** The capabilities of the client, in the `_meta` of a request. */
type SuiteEnvelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
type Answers = ServerContext["mcpReq"]["inputResponses"];
const readSuiteName = (answers: Answers, key = "user_name") => acceptedContent<{ name: string }>(answers, key)?.name;
const readAnswer = (answers: Answers, key: string) =>
  answers?.[key] as { content?: { text?: string }; roots?: { uri?: string }[] } | undefined;

/** Registers tools that ask with an `input_required` result and signed state. */
function serveInputs(server: McpServer, states: RequestStateCodec<Record<string, unknown>>): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(name, { description: name, inputSchema: NO_ARGUMENTS }, (_, context) => run(context) as never);
  const mrtr = (name: string, run: (context: ServerContext, answers: Answers) => unknown) =>
    tool(`test_input_required_result_${name}`, (context) => run(context, context.mcpReq.inputResponses));
  const sealState = (state: Record<string, unknown>) => states.mint({ ...state, nonce: crypto.randomUUID() });
  const confirm = () => elicit("Please confirm", { ok: { type: "boolean" } });

  tool("test_missing_capability", ({ mcpReq }) =>
    mcpReq.inputResponses?.["answer"] === undefined
      ? inputRequired({ inputRequests: { answer: sample("Say pong") } })
      : suiteText("sampled"),
  );
  mrtr("elicitation", (_, answers) => {
    const name = readSuiteName(answers);
    return typeof name === "string"
      ? suiteText(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName() } });
  });
  mrtr("sampling", (_, answers) => {
    const answer = readAnswer(answers, "capital_question");
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } })
      : suiteText(`Sampling response: ${answer.content?.text}`);
  });
  mrtr("list_roots", (_, answers) => {
    const roots = readAnswer(answers, "client_roots")?.roots;
    return Array.isArray(roots)
      ? suiteText(`Roots: ${roots.map(({ uri }) => uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  mrtr("request_state", async ({ mcpReq }, answers) => {
    if (acceptedContent(answers, "confirm") === undefined) {
      return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await sealState({}) });
    }
    return suiteText(mcpReq.requestState() === undefined ? "no state" : "state-ok");
  });
  mrtr("multiple_inputs", async (_, answers) => {
    const name = readSuiteName(answers);
    const greeting = readAnswer(answers, "greeting")?.content?.text;
    const roots = readAnswer(answers, "client_roots")?.roots;
    if (typeof name === "string" && typeof greeting === "string" && Array.isArray(roots)) {
      return suiteText(`${greeting} ${name}, ${roots.length} roots`);
    }
    const inputRequests = {
      user_name: askName(),
      greeting: sample("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await sealState({}) });
  });
  mrtr("multi_round", async ({ mcpReq }, answers) => {
    const state = mcpReq.requestState<{ round?: number; name?: string }>();
    if (state?.round === undefined) {
      return inputRequired({ inputRequests: { step1: askName() }, requestState: await sealState({ round: 1 }) });
    }
    if (state.round === 1) {
      const step2 = elicit("What is your favorite color?", { color: { type: "string" } });
      const requestState = await sealState({ round: 2, name: readSuiteName(answers, "step1") });
      return inputRequired({ inputRequests: { step2 }, requestState });
    }
    return suiteText(`${state.name} likes ${acceptedContent<{ color: string }>(answers, "step2")?.color}`);
  });
  mrtr("tampered_state", async ({ mcpReq }, answers) =>
    mcpReq.requestState() !== undefined && acceptedContent(answers, "confirm") !== undefined
      ? suiteText("integrity-ok")
      : inputRequired({ inputRequests: { confirm: confirm() }, requestState: await sealState({}) }),
  );
  mrtr("capabilities", ({ mcpReq }, answers) => {
    if (answers !== undefined) return suiteText("answered");
    const declared = (mcpReq.envelope as SuiteEnvelope)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name: askName() }),
      ...(declared?.sampling !== undefined && { greeting: sample("Generate a greeting") }),
      ...(declared?.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? suiteText("nothing to ask") : inputRequired({ inputRequests });
  });
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks" }, ((context: ServerContext) => {
    const given = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, "user_context")?.context;
    if (typeof given === "string") {
      return { messages: [{ role: "user", content: { type: "text", text: `Use the context: ${given}` } }] };
    }
    const user_context = elicit("What context should the prompt use?", { context: { type: "string" } });
    return inputRequired({ inputRequests: { user_context } });
  }) as never);
}

const choices = (...values: string[]) => values.map((value) => ({ const: value, title: `Choice ${value}` }));
const oneOfThree = ["option1", "option2", "option3"];

const FORMS = {
  test_elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: oneOfThree },
    titledSingle: { type: "string", oneOf: choices("value1", "value2", "value3") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: oneOfThree } },
    titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: choices("value1", "value2", "value3") } },
  },
} as const;

function serveRequests(server: McpServer): void {
  const ask = async (context: ServerContext, message: string, properties: object) => {
    const params = { message, requestedSchema: { type: "object", properties } };
    const response = await context.mcpReq.send({ method: "elicitation/create", params } as never);
    return suiteText(JSON.stringify(response));
  };
  server.registerTool(
    "test_sampling",
    { description: "Samples", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const response = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
      return suiteText(`LLM response: ${JSON.stringify(response)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks", inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => ask(context, message, { response: { type: "string" } }),
  );
  for (const [name, properties] of Object.entries(FORMS)) {
    server.registerTool(name, { description: "Asks", inputSchema: NO_ARGUMENTS }, (_, context) =>
      ask(context, "Please fill in the form", properties),
    );
  }
}

type Handle = (request: Request) => Promise<Response>;

interface ServerOptions {
  readonly guarded: boolean;
}

export function startConformanceServer(options: ServerOptions): Promise<LoopbackServer> {
  const handle = createHandler(options);
  return listenOnLoopback(createServer((request, response) => void writeResponse(handle, request, response)));
}

/** Serves both eras. With `guarded`, every server is guarded, and so is the HTTP handler with its host and origin checks. */
function createHandler({ guarded }: ServerOptions): Handle {
  const sink = () => {};
  const make = (changes: Changes) => (guarded ? guard(createServerFor(changes), { sink }) : createServerFor(changes));
  const modern: ReturnType<typeof createMcpHandler> = createMcpHandler(() => make(modern.notify));
  const legacy = serveSessions(() => make({ toolsChanged: () => {}, promptsChanged: () => {} }));
  const handle: Handle = async (request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request));
  return guarded ? guardHandler(handle, { sink, methods: ["GET", "DELETE"] }) : handle;
}

/** Every request has a server of its own, so the servers share the key of the state. */
const states = createRequestStateCodec<Record<string, unknown>>({ key: crypto.getRandomValues(new Uint8Array(32)) });

function createServerFor(changes: Changes): McpServer {
  const server = new McpServer(
    { name: "conformance", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  serveContent(server, changes);
  serveInputs(server, states);
  serveRequests(server);
  return server;
}

/** The answer of the SDK for a session that has ended. */
const SESSION_NOT_FOUND = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

/** Serves clients of 2025-11-25, which need a session to answer requests of the server. */
function serveSessions(make: () => McpServer): Handle {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const session = request.headers.get("mcp-session-id");
    if (session !== null)
      return open.get(session)?.handleRequest(request) ?? new Response(SESSION_NOT_FOUND, { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  };
}

async function writeResponse(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  outgoing.on("close", () => disconnected.abort());
  try {
    const answer = await handle(await readWebRequest(incoming, disconnected.signal));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.flushHeaders();
    const sink = new WritableStream<Uint8Array>({ write: (chunk) => void outgoing.write(chunk) });
    await answer.body?.pipeTo(sink, { signal: disconnected.signal });
  } catch {
    // The client has disconnected, or the answer failed. Both end the connection.
    if (!outgoing.headersSent) outgoing.writeHead(500);
  }
  outgoing.end();
}
