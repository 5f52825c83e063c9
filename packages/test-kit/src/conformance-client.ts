// The client for the official conformance suite, one process per scenario: the client of the SDK, alone or with `recourse()`.
// Usage: node client.ts [--recourse] <url>, with the environment variables of the suite.

import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { FaultError } from "@recourse/core";
import { observeTransport, recourse } from "@recourse/core/client";

// The sign-in flow of the SDK, in memory. In place of a user, a fetch without redirects consents.
type Registration = Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0];
type OAuthTokens = Parameters<OAuthClientProvider["saveTokens"]>[0];

/** The redirect URI. No server listens there. */
const CALLBACK = "http://localhost:3000/callback";
/** Identifies a client without registration. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";

/** A host that consents to every sign-in. */
class ConsentingHost implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadataUrl?: string;
  readonly clientMetadata = { client_name: "conformance", redirect_uris: [CALLBACK] };
  readonly #clients = new Map<string | undefined, Registration>();
  readonly #tokens = new Map<string | undefined, OAuthTokens>();
  readonly #registered: Registration | undefined;
  #verifier = "";
  #answer: URLSearchParams | undefined;

  constructor(registered?: { readonly client_id: string; readonly client_secret?: string }) {
    this.#registered = registered === undefined ? undefined : { ...registered, redirect_uris: [CALLBACK] };
    if (registered === undefined) this.clientMetadataUrl = METADATA_URL;
  }

  clientInformation(at?: { readonly issuer?: string }) {
    return this.#registered ?? this.#clients.get(at?.issuer);
  }

  saveClientInformation(client: Registration, at?: { readonly issuer?: string }): void {
    this.#clients.set(at?.issuer, client);
  }

  tokens(at?: { readonly issuer?: string }) {
    return at?.issuer === undefined ? [...this.#tokens.values()].at(-1) : this.#tokens.get(at.issuer);
  }

  saveTokens(tokens: OAuthTokens, at?: { readonly issuer?: string }): void {
    this.#tokens.delete(at?.issuer);
    this.#tokens.set(at?.issuer, tokens);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    const location = response.headers.get("location");
    this.#answer = location === null ? undefined : new URL(location).searchParams;
  }

  /** Completes a started sign-in; returns false when none was started. */
  async finish(transport: StreamableHTTPClientTransport): Promise<boolean> {
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer === undefined) return false;
    await transport.finishAuth(answer);
    return true;
  }
}

const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: contextJson = "{}" } = process.env;
const context = JSON.parse(contextJson) as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly SuiteCall[];
};
const url = new URL(process.argv.at(-1) ?? "");
const withRecourse = process.argv.includes("--recourse");
const isModern = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] === "2026-07-28";

interface SuiteCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** What both clients can do. A failure rejects the promise. */
interface ScenarioClient {
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  prompt(name: string): Promise<unknown>;
}

/** Scenarios whose mock servers implement neither `initialize` nor `server/discover`. */
const WITHOUT_DISCOVERY = new Set([
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "sep-2322-client-request-state",
]);

const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  tools_call: { a: 5, b: 3 },
  "http-invalid-tool-headers": { region: "us-west1" },
};

const observer = observeTransport();
const host = new ConsentingHost(
  context.client_id === undefined
    ? undefined
    : { client_id: context.client_id, client_secret: context.client_secret ?? "" },
);
const baseFetch: typeof fetch = withRecourse ? (observer.fetch as typeof fetch) : fetch;
let transport = createTransport();
const client = await connect();
const caller = withRecourse ? recourseClient() : sdkClient();
await runScenario();
await client.close();

function createTransport(): StreamableHTTPClientTransport {
  const transportFetch: typeof fetch = WITHOUT_DISCOVERY.has(scenario) ? fetchWithDiscovery : baseFetch;
  return new StreamableHTTPClientTransport(url, {
    fetch: transportFetch,
    ...(scenario.startsWith("auth/") && { authProvider: host }),
  });
}

/** Answers `server/discover` in place of the server. */
async function fetchWithDiscovery(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const body = typeof init?.body === "string" ? init.body : "{}";
  const { method, id } = JSON.parse(body) as { readonly method?: string; readonly id?: unknown };
  if (method !== "server/discover") return baseFetch(input, init);
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const _meta = { "io.modelcontextprotocol/serverInfo": { name: "mock", version: "1.0.0" } };
  const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities, _meta };
  return Response.json({ jsonrpc: "2.0", id, result });
}

async function connect(): Promise<Client> {
  for (let signIns = 0; ; signIns++) {
    const created = new Client(
      { name: "conformance", version: "1.0.0" },
      {
        capabilities: {
          ...(scenario === "request-metadata" && { roots: { listChanged: true }, sampling: {} }),
          elicitation: scenario === "elicitation-sep1034-client-defaults" ? { form: { applyDefaults: true } } : {},
        },
        ...(isModern && { versionNegotiation: { mode: "auto" as const } }),
      },
    );
    const content = scenario === "elicitation-sep1034-client-defaults" ? {} : { confirmed: true };
    created.setRequestHandler("elicitation/create", async () => ({ action: "accept" as const, content }));
    try {
      await created.connect(transport);
      return created;
    } catch (error) {
      if (!UnauthorizedError.isInstance(error) || signIns > 1 || !(await host.finish(transport))) throw error;
      transport = createTransport();
    }
  }
}

/** Sends a request, and repeats it after a sign-in that the transport has started. Hosts do this by hand. */
async function withSignIn<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!UnauthorizedError.isInstance(error) || !(await host.finish(transport))) throw error;
    return send();
  }
}

function sdkClient(): ScenarioClient {
  return {
    call: (name, args) => withSignIn(() => client.callTool({ name, arguments: args })),
    read: (uri) => withSignIn(() => client.readResource({ uri })),
    prompt: (name) => withSignIn(() => client.getPrompt({ name })),
  };
}

function recourseClient(): ScenarioClient {
  const mcp = recourse(client, {
    transport: observer,
    reauthorize: async () => ((await host.finish(transport)) ? "credentials" : undefined),
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

async function runScenario(): Promise<void> {
  if (scenario === "request-metadata") return;
  const { tools } = await withSignIn(() => client.listTools());
  if (scenario === "json-schema-ref-no-deref" || scenario === "initialize") return;
  if (scenario === "json-schema-2020-12-preservation") {
    const checked = tools.find((tool) => tool.name === "json_schema_2020_12_tool");
    await caller.call("json_schema_echo", { schema: checked?.inputSchema });
    return;
  }
  const calls = context.toolCalls ?? tools.map(({ name }) => ({ name, arguments: ARGUMENTS[scenario] ?? {} }));
  // Some answers are wrong on purpose. The suite checks what the client sends next.
  const mayFail = scenario === "http-invalid-tool-headers" || scenario === "sep-2322-client-request-state";
  for (const { name, arguments: args } of calls) {
    await caller.call(name, args).catch((error: unknown) => {
      if (!mayFail) throw error;
    });
  }
  if (scenario !== "http-standard-headers") return;
  for (const { uri } of (await client.listResources()).resources) await caller.read(uri);
  for (const { name } of (await client.listPrompts()).prompts) await caller.prompt(name);
}
