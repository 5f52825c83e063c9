// The official SDK's server, versions 1 and 2, as far as the kit touches it. Nothing of the SDK is imported: a server is
// recognised by these members, and a missing one is found at the start, not at the first failure.

/** A tool as the SDK keeps it. */
export interface PeerTool {
  readonly enabled?: boolean;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean };
  readonly execution?: { readonly taskSupport?: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A handler of one method as the SDK keeps it. */
export type PeerHandler = (request: PeerRequest, context: unknown) => unknown;

/** A request as a handler is given it. */
export interface PeerRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The protocol half of a server. */
export interface PeerProtocol {
  readonly _requestHandlers: Map<string, PeerHandler>;
  readonly _negotiatedProtocolVersion?: string;
  /** Takes the requests that no handler is there for. */
  fallbackRequestHandler?: PeerHandler | undefined;
  connect(transport: PeerTransport): Promise<void>;
  registerCapabilities?(capabilities: object): void;
  getClientCapabilities?(): object | undefined;
  /** Takes a request in, and refuses at once what it has no handler for. */
  _onrequest?(request: PeerRequest, extra: unknown): void;
  /** Throws where a call asks to become a task and there are none; version 1 only. */
  assertTaskHandlerCapability?(method: string): void;
}

/** The half of a transport that answers go through. */
interface PeerTransport {
  send(message: unknown, options?: unknown): Promise<void>;
}

/** The high-level server, with the seam that its handlers are called through. */
export interface PeerServer {
  readonly server: PeerProtocol;
  readonly _registeredTools: Readonly<Record<string, PeerTool>>;
  readonly _registeredPrompts: Readonly<Record<string, { readonly enabled?: boolean }>>;
  /** Whether the SDK's own handlers are in place, which look into the registries. */
  readonly _toolHandlersInitialized?: boolean;
  readonly _promptHandlersInitialized?: boolean;
  validateToolInput(tool: PeerTool, args: unknown, name: string): Promise<unknown>;
  executeToolHandler(tool: PeerTool, args: unknown, context: unknown): Promise<unknown>;
  validateToolOutput(tool: PeerTool, result: unknown, name: string): Promise<void>;
  createToolError(text: string): unknown;
  handleAutomaticTaskPolling?(tool: PeerTool, request: PeerRequest, context: unknown): Promise<unknown>;
}

const SEAM = ["validateToolInput", "executeToolHandler", "validateToolOutput", "createToolError"] as const;
const REGISTRIES = ["_registeredTools", "_registeredPrompts"] as const;

/** The server as a peer, or a throw that names what is missing: a guard that guards nothing must not start. */
export function asPeer(server: object): PeerServer {
  const peer = server as PeerServer;
  const missing = [
    ...SEAM.filter((name) => typeof peer[name] !== "function"),
    ...REGISTRIES.filter((name) => typeof peer[name] !== "object"),
    ...(peer.server?._requestHandlers instanceof Map ? [] : ["server._requestHandlers"]),
    ...(typeof peer.server?.connect === "function" ? [] : ["server.connect"]),
  ];
  if (missing.length > 0) {
    throw new TypeError(
      `guard does not know this server: ${missing.join(", ")} missing; it takes an McpServer of SDK 1 or 2`,
    );
  }
  return peer;
}
