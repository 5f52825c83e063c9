// What the official conformance suite expects a server to serve: names, texts and addresses are the suite's own.
import { fromJsonSchema, type McpServer, ResourceTemplate, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** One silent sample. */
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const text = (said: string) => ({ type: "text", text: said }) as const;
const embedded = (uri: string, said: string, mimeType = "text/plain") =>
  ({ type: "resource", resource: { uri, mimeType, text: said } }) as const;

/** Tools that answer the same content whatever happens. */
const CONTENT = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: WAV, mimeType: "audio/wav" } as const],
  test_embedded_resource: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
  ],
  // The suite only looks for requests of the server's own in the stream of this answer.
  test_streaming_elicitation: [text("only a result")],
} as const;

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
} as const;

/** Lists that a tool can announce a change of. */
export interface Changes {
  toolsChanged(): void;
  promptsChanged(): void;
}

/** Registers the tools, resources, prompts and methods that need nothing from the client. */
export function serveContent(server: McpServer, changes: Changes): void {
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
      await pause();
    }
    return { content: [text("Tool with logging executed successfully")] };
  });
  server.registerTool(
    "test_logging_tool",
    { description: "Logs if asked to", inputSchema: z.object({}) },
    async (_, ctx) => {
      await ctx.mcpReq.log("info", "for those who set a log level");
      return { content: [text("logged")] };
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
        await pause();
      }
      return { content: [text(String(progressToken))] };
    },
  );
  const triggers = {
    test_trigger_tool_change: () => changes.toolsChanged(),
    test_trigger_prompt_change: () => changes.promptsChanged(),
  };
  for (const [name, announce] of Object.entries(triggers)) {
    server.registerTool(name, { description: "Announces a change" }, () => {
      announce();
      return { content: [text("announced")] };
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
    content: [text(`region=${region ?? "none"}`)],
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
    content: [text(JSON.stringify(args))],
  }));
}

function serveResources(server: McpServer): void {
  for (const [uri, content] of Object.entries(RESOURCES)) {
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
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { ...about("Arguments"), argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...about("Resource"), argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", about("Image"), () => ({
    messages: [user(image), user(text("Please analyze the image above."))],
  }));
}

/** The suite counts notifications one by one, so they must not arrive as one. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
