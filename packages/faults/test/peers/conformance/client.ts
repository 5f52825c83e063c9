// The client that the official suite drives, one process a scenario: the SDK's own, or the same with the kit in between.
// Usage: node conformance-client.ts [--kit] <url>, with the suite's environment variables.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { recourse, watch } from "../../../src/client/index.ts";
import { FaultError } from "../../../src/index.ts";
import { ConsentingHost } from "./oauth.ts";

const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: given = "{}" } = process.env;
const context = JSON.parse(given) as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly Call[];
};
const url = new URL(process.argv.at(-1) ?? "");
const kit = process.argv.includes("--kit");
const modern = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] === "2026-07-28";

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** The ways to fail that both clients share: a rejected promise. */
interface Caller {
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  prompt(name: string): Promise<unknown>;
}

/** Mock servers that know neither way to begin; what they check comes after. */
const WITHOUT_DISCOVERY = new Set([
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "sep-2322-client-request-state",
]);

/** Arguments that a mock server's tools want. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  tools_call: { a: 5, b: 3 },
  "http-invalid-tool-headers": { region: "us-west1" },
};

const watched = watch();
const host = new ConsentingHost(
  context.client_id === undefined
    ? undefined
    : { client_id: context.client_id, client_secret: context.client_secret ?? "" },
);
const sending: typeof fetch = kit ? (watched.fetch as typeof fetch) : fetch;
let transport = transportFor();
const client = await connected();
const caller = kit ? wise() : bare();
await play();
await client.close();

function transportFor(): StreamableHTTPClientTransport {
  const through: typeof fetch = WITHOUT_DISCOVERY.has(scenario) ? discovering : sending;
  return new StreamableHTTPClientTransport(url, {
    fetch: through,
    ...(scenario.startsWith("auth/") && { authProvider: host }),
  });
}

/** Answers the question for the server's revision in its place. */
async function discovering(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const body = typeof init?.body === "string" ? init.body : "{}";
  const { method, id } = JSON.parse(body) as { readonly method?: string; readonly id?: unknown };
  if (method !== "server/discover") return sending(input, init);
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const _meta = { "io.modelcontextprotocol/serverInfo": { name: "mock", version: "1.0.0" } };
  const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities, _meta };
  return Response.json({ jsonrpc: "2.0", id, result });
}

async function connected(): Promise<Client> {
  for (let signIns = 0; ; signIns++) {
    const one = new Client(
      { name: "conformance", version: "1.0.0" },
      {
        capabilities: {
          ...(scenario === "request-metadata" && { roots: { listChanged: true }, sampling: {} }),
          elicitation: scenario === "elicitation-sep1034-client-defaults" ? { form: { applyDefaults: true } } : {},
        },
        ...(modern && { versionNegotiation: { mode: "auto" as const } }),
      },
    );
    const content = scenario === "elicitation-sep1034-client-defaults" ? {} : { confirmed: true };
    one.setRequestHandler("elicitation/create", async () => ({ action: "accept" as const, content }));
    try {
      await one.connect(transport);
      return one;
    } catch (error) {
      if (!UnauthorizedError.isInstance(error) || signIns > 1 || !(await host.finish(transport))) throw error;
      transport = transportFor();
    }
  }
}

/** Signs in anew when the transport began to, which is what a host does by hand. */
async function signedIn<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!UnauthorizedError.isInstance(error) || !(await host.finish(transport))) throw error;
    return ask();
  }
}

function bare(): Caller {
  return {
    call: (name, args) => signedIn(() => client.callTool({ name, arguments: args })),
    read: (uri) => signedIn(() => client.readResource({ uri })),
    prompt: (name) => signedIn(() => client.getPrompt({ name })),
  };
}

function wise(): Caller {
  const mcp = recourse(client, {
    watched,
    renew: async () => ((await host.finish(transport)) ? "credentials" : undefined),
  });
  async function resultOf(
    outcome: Promise<{ readonly ok: unknown; readonly fault?: unknown; readonly result?: unknown }>,
  ) {
    const { ok, fault, result } = await outcome;
    if (ok === false) throw new FaultError(fault as never);
    return result;
  }
  return {
    call: (name, args) => resultOf(mcp.call(name, args)),
    read: (uri) => resultOf(mcp.read(uri)),
    prompt: (name) => resultOf(mcp.prompt(name)),
  };
}

/** What a scenario wants to see, beyond a connection and a list. */
async function play(): Promise<void> {
  if (scenario === "request-metadata") return;
  const { tools } = await signedIn(() => client.listTools());
  if (scenario === "json-schema-ref-no-deref" || scenario === "initialize") return;
  if (scenario === "json-schema-2020-12-preservation") {
    const focal = tools.find((tool) => tool.name === "json_schema_2020_12_tool");
    await caller.call("json_schema_echo", { schema: focal?.inputSchema });
    return;
  }
  const calls = context.toolCalls ?? tools.map(({ name }) => ({ name, arguments: ARGUMENTS[scenario] ?? {} }));
  // Some answers are wrong on purpose: what counts is what the client sends next.
  const tolerant = scenario === "http-invalid-tool-headers" || scenario === "sep-2322-client-request-state";
  for (const { name, arguments: args } of calls) {
    await caller.call(name, args).catch((error: unknown) => {
      if (!tolerant) throw error;
    });
  }
  if (scenario !== "http-standard-headers") return;
  for (const { uri } of (await client.listResources()).resources) await caller.read(uri);
  for (const { name } of (await client.listPrompts()).prompts) await caller.prompt(name);
}
