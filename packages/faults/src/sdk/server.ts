// The server of the official SDK, versions 1 and 2, as far as the server kit touches it. Nothing of the SDK is imported: a
// server is recognised by these members, and a missing one is reported when the guard is set up, not at the first failure.

/** A tool as the SDK stores it. */
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

/** A handler of one method as the SDK stores it. */
export type SdkHandler = (request: SdkRequest, context: unknown) => unknown;

/** A request as the SDK passes it to a handler. */
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

/** The half of a transport that answers are sent through. */
interface SdkTransport {
  send(message: unknown, options?: unknown): Promise<void>;
}

/** A registered template of resources. */
interface SdkTemplate {
  readonly resourceTemplate?: { readonly uriTemplate?: { match(uri: string): unknown; toString(): string } };
}

/** The high-level server, with the private methods through which it calls a tool. */
export interface SdkServer {
  readonly server: SdkProtocol;
  readonly _registeredTools: Readonly<Record<string, SdkTool>>;
  readonly _registeredPrompts: Readonly<Record<string, { readonly enabled?: boolean }>>;
  readonly _registeredResources?: Readonly<Record<string, unknown>>;
  readonly _registeredResourceTemplates?: Readonly<Record<string, SdkTemplate>>;
  /** Whether the SDK's own handlers are registered, which read the registries above. */
  readonly _toolHandlersInitialized?: boolean;
  readonly _promptHandlersInitialized?: boolean;
  validateToolInput(tool: SdkTool, args: unknown, name: string): Promise<unknown>;
  executeToolHandler(tool: SdkTool, args: unknown, context: unknown): Promise<unknown>;
  validateToolOutput(tool: SdkTool, result: unknown, name: string): Promise<void>;
  createToolError(text: string): unknown;
  /** Version 1 only. */
  handleAutomaticTaskPolling?(tool: SdkTool, request: SdkRequest, context: unknown): Promise<unknown>;
}

const SERVER_METHODS = ["validateToolInput", "executeToolHandler", "validateToolOutput", "createToolError"] as const;
const REGISTRIES = ["_registeredTools", "_registeredPrompts"] as const;

/** The server as this kit sees it; throws and says what to do if the value is not a server. */
export function asSdkServer(server: object): SdkServer {
  const known = server as SdkServer;
  if (isLowLevel(server)) {
    throw new TypeError(
      "guard takes an McpServer; this is the low-level Server. Register its tools on an McpServer, or pass the McpServer that it belongs to.",
    );
  }
  const missing = [
    ...SERVER_METHODS.filter((name) => typeof known[name] !== "function"),
    ...REGISTRIES.filter((name) => typeof known[name] !== "object"),
    ...(known.server?._requestHandlers instanceof Map ? [] : ["server._requestHandlers"]),
    ...(typeof known.server?.connect === "function" ? [] : ["server.connect"]),
  ];
  if (missing.length === 0) return known;
  throw new TypeError(
    `guard needs an McpServer of @modelcontextprotocol/server 2.x or @modelcontextprotocol/sdk 1.24 and later; missing here: ${missing.join(", ")}`,
  );
}

/** The low-level `Server` has handlers of its own and no registry of tools. */
function isLowLevel(server: object): boolean {
  return "_requestHandlers" in server && !("server" in server);
}
