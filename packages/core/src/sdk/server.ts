// The server of the official SDK, versions 1 and 2, as far as the server kit touches it. Nothing of the SDK is imported: a
// server is recognised by these members, and a missing one is reported when the guard is set up, not at the first failure.

export interface SdkTool {
  readonly enabled?: boolean;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
  readonly execution?: { readonly taskSupport?: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type SdkHandler = (request: SdkRequest, context: unknown) => unknown;

export interface SdkRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The protocol half of a server, which is the low-level `Server`. */
export interface SdkProtocol {
  readonly _requestHandlers: Map<string, SdkHandler>;
  readonly _negotiatedProtocolVersion?: string;
  /** Serves the methods that have no handler. */
  fallbackRequestHandler?: SdkHandler | undefined;
  connect(transport: SdkTransport): Promise<void>;
  registerCapabilities?(capabilities: object): void;
  getClientCapabilities?(): object | undefined;
  /** Receives a request, and answers at once if there is no handler for it. */
  _onrequest?(request: SdkRequest, extra: unknown): void;
  /** Throws when a call asks to become a task and the server has none; version 1 only. */
  assertTaskHandlerCapability?(method: string): void;
}

interface SdkTransport {
  send(message: unknown, options?: unknown): Promise<void>;
  /** Whether a request is just being received: an error that is sent then has another HTTP status. Version 2 only. */
  _dispatchWindowOpen?: boolean;
}

/** Sends something later as if it were sent now, which is when the SDK decides about the HTTP status of its own refusals. */
export function keepingMoment(transport: SdkTransport): (send: () => Promise<void>) => Promise<void> {
  if (transport._dispatchWindowOpen !== true) return (send) => send();
  return (send) => {
    transport._dispatchWindowOpen = true;
    try {
      return send();
    } finally {
      transport._dispatchWindowOpen = false;
    }
  };
}

interface SdkTemplate {
  readonly resourceTemplate?: { readonly uriTemplate?: { match(uri: string): unknown; toString(): string } };
}

/** A server, as far as this kit reads it. The low-level `Server` has empty registries. */
export interface SdkServer {
  readonly server: SdkProtocol;
  readonly _registeredTools: Readonly<Record<string, SdkTool>>;
  readonly _registeredPrompts: Readonly<Record<string, { readonly enabled?: boolean; readonly argsSchema?: unknown }>>;
  readonly _registeredResources?: Readonly<Record<string, unknown>>;
  readonly _registeredResourceTemplates?: Readonly<Record<string, SdkTemplate>>;
  /** Whether the SDK's own handlers are registered, which read the registries above. If not, the author's own may be. */
  readonly _toolHandlersInitialized?: boolean;
  readonly _promptHandlersInitialized?: boolean;
  readonly _resourceHandlersInitialized?: boolean;
  /** Version 1 only. */
  handleAutomaticTaskPolling?(tool: SdkTool, request: SdkRequest, context: unknown): Promise<unknown>;
}

export interface SdkToolServer extends SdkServer {
  validateToolInput(tool: SdkTool, args: unknown, name: string): Promise<unknown>;
  executeToolHandler(tool: SdkTool, args: unknown, context: unknown): Promise<unknown>;
  validateToolOutput(tool: SdkTool, result: unknown, name: string): Promise<void>;
  createToolError(text: string): unknown;
}

const SERVER_METHODS = ["validateToolInput", "executeToolHandler", "validateToolOutput", "createToolError"] as const;
const REGISTRIES = ["_registeredTools", "_registeredPrompts"] as const;

/** The private members of the SDK that every guarded server needs, and those that an `McpServer` needs too. */
export const PRIVATE_MEMBERS = {
  protocol: ["_requestHandlers", "_onrequest", "_negotiatedProtocolVersion"],
  tools: [...SERVER_METHODS, ...REGISTRIES],
} as const;

/** The first and the last minor version of each line of the SDK that this kit is tested with. */
export const TESTED_SDK = {
  "@modelcontextprotocol/sdk": { from: "1.24", to: "1.32" },
  "@modelcontextprotocol/server": { from: "2.0", to: "2.4" },
} as const;

/** The server as this kit sees it; throws and says what to do if the value is not a server. */
export function asSdkServer(server: object): SdkServer {
  const isLowLevel = isLowLevelServer(server);
  const known = isLowLevel ? withoutRegistries(server as SdkProtocol) : (server as SdkToolServer);
  const missing = [
    ...(isLowLevel ? [] : SERVER_METHODS.filter((name) => typeof (known as SdkToolServer)[name] !== "function")),
    ...REGISTRIES.filter((name) => typeof known[name] !== "object"),
    ...(known.server?._requestHandlers instanceof Map ? [] : ["server._requestHandlers"]),
    ...(typeof known.server?.connect === "function" ? [] : ["server.connect"]),
  ];
  if (missing.length === 0) return known;
  throw new TypeError(
    `guard needs an McpServer or a Server of @modelcontextprotocol/server 2.x or @modelcontextprotocol/sdk 1.24 and later; missing here: ${missing.join(", ")}`,
  );
}

export function hasRegisteredTools(server: SdkServer): server is SdkToolServer {
  return "executeToolHandler" in server;
}

const REGISTRY_OF = {
  tools: ["_toolHandlersInitialized", "_registeredTools"],
  prompts: ["_promptHandlersInitialized", "_registeredPrompts"],
  resources: ["_resourceHandlersInitialized", "_registeredResources"],
} as const;

/** What an `McpServer` has registries of. */
export type Registered = keyof typeof REGISTRY_OF;

/**
 * Whether the SDK knows from its registry what a server has. It sets handlers of its own as soon as a capability is declared, and an
 * author may replace them: then nothing is registered.
 */
export function knowsFromRegistry(server: SdkServer, what: Registered): boolean {
  const [flag, registry] = REGISTRY_OF[what];
  if (server[flag] === false) return false;
  const templates = what === "resources" ? Object.keys(server._registeredResourceTemplates ?? {}) : [];
  return Object.keys(server[registry] ?? {}).length > 0 || templates.length > 0;
}

/** The low-level `Server` has handlers of its own and no registry of tools. */
function isLowLevelServer(server: object): boolean {
  return "_requestHandlers" in server && !("server" in server);
}

function withoutRegistries(server: SdkProtocol): SdkServer {
  return {
    server,
    _registeredTools: {},
    _registeredPrompts: {},
    _toolHandlersInitialized: false,
    _promptHandlersInitialized: false,
    _resourceHandlersInitialized: false,
  };
}

export function isReadOnlyTool(tool: Pick<SdkTool, "annotations"> | undefined): boolean {
  return tool?.annotations?.readOnlyHint === true;
}
