// What the official conformance suite expects of a server. The suite defines the names, texts and URIs.
import { fromJsonSchema, type McpServer, ResourceTemplate, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** One silent sample. */
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const textBlock = (value: string) => ({ type: "text", text: value }) as const;
const embedded = (uri: string, value: string, mimeType = "text/plain") =>
  ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;

/** Tools with fixed content. */
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

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
} as const;

/** Announces that a list has changed. */
export interface Changes {
  toolsChanged(): void;
  promptsChanged(): void;
}

/** Registers the tools, resources, prompts and methods that send no request to the client. */
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
        await pause();
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

/** The suite counts notifications, so they must not arrive in one chunk. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
