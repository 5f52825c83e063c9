// The client of the official SDK, versions 1 and 2, as far as the client kit uses it. Nothing of the SDK is imported.

import { FAULTS_EXTENSION } from "../wire/names.ts";

/** The members that are needed of a client; those of SDK 1 and 2 have them. */
export interface ClientLike {
  /** Calls a tool. */
  callTool(...args: never[]): Promise<unknown>;
  /** Reads a resource. */
  readResource(...args: never[]): Promise<unknown>;
  /** Gets a prompt. */
  getPrompt(...args: never[]): Promise<unknown>;
  /** Lists tools. */
  listTools(...args: never[]): Promise<unknown>;
  /** What the server announced. */
  getServerCapabilities(): unknown;
}

/** The result of one method of a client, as that client's SDK types it. */
export type ResultOf<C, M extends keyof ClientLike> =
  C extends Readonly<Record<M, (...args: never[]) => Promise<infer R>>> ? R : unknown;

/** A tool as a server lists it, as far as it is used. */
export interface ListedTool {
  /** Name of the tool. */
  readonly name: string;
  /** What the tool does. */
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown;
  /** JSON Schema of the structured content. */
  readonly outputSchema?: unknown;
  /** What the server says about the effects of the tool. */
  readonly annotations?: ToolAnnotations | undefined;
}

/** What a server says about the effects of a tool: a claim, which is believed only if you trust the server. */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** Calling the tool twice does no more than calling it once. */
  readonly idempotentHint?: boolean | undefined;
}

export type Method = "tools/call" | "resources/read" | "prompts/get" | "tools/list";

export interface SendOptions {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly signal: AbortSignal;
  readonly onprogress?: (progress: unknown) => void;
  readonly allowInputRequired?: true;
  /** Version 2: replaces the definition that the SDK remembers. */
  readonly toolDefinition?: ListedTool;
}

export interface SdkClient<C> {
  readonly client: C;
  send(method: Method, params: object, options: SendOptions): Promise<unknown>;
  /**
   * One page of the list of tools, without any effect on later calls: `listTools` of the SDK remembers output schemas and
   * checks results against them. Undefined if the client has no way to send it.
   */
  readonly peekTools: ((params: object, options: SendOptions) => Promise<unknown>) | undefined;
  honoursKeys(): boolean;
  /** Whether requests belong to a session, which a server may forget. */
  hasSession(): boolean;
  /** Whether the connection is gone for good: the SDK's clients never reopen it by themselves. */
  isClosed(): boolean;
}

type Send = (...args: readonly unknown[]) => Promise<unknown>;

interface ClientMembers {
  readonly callTool: Send;
  readonly readResource: Send;
  readonly getPrompt: Send;
  readonly listTools: Send;
  readonly getServerCapabilities: () => unknown;
  readonly request?: Send;
  /** Version 2 alone has it. */
  readonly getProtocolEra?: unknown;
  readonly transport?: { readonly sessionId?: unknown } | undefined;
}

const NEEDED_METHODS = ["callTool", "readResource", "getPrompt", "listTools", "getServerCapabilities"] as const;

/** The client as the kit uses it; throws and says what is missing if the value is not a client. */
export function asSdkClient<C extends ClientLike>(client: C): SdkClient<C> {
  const members = client as unknown as ClientMembers;
  const missing = NEEDED_METHODS.filter((name) => typeof members?.[name] !== "function");
  if (missing.length > 0) {
    throw new TypeError(
      `recourse needs a Client of @modelcontextprotocol/client 2.x or @modelcontextprotocol/sdk 1.24 and later; missing here: ${missing.join(", ")}`,
    );
  }
  // Version 1 takes the schema of the result before the options.
  const isOld = typeof members.getProtocolEra !== "function";
  const sends = {
    "tools/call": (params, options) =>
      isOld ? members.callTool(params, undefined, options) : members.callTool(params, options),
    "resources/read": (params, options) => members.readResource(params, options),
    "prompts/get": (params, options) => members.getPrompt(params, options),
    "tools/list": (params, options) => members.listTools(params, options),
  } as const satisfies Record<Method, (params: object, options: SendOptions) => Promise<unknown>>;
  const peekTools = (params: object, options: SendOptions) => {
    const request = { method: "tools/list", params };
    return isOld ? members.request?.(request, ANY_RESULT, options) : members.request?.(request, options);
  };
  return {
    client,
    peekTools: typeof members.request === "function" ? (peekTools as Send) : undefined,
    send: (method, params, options) => sends[method](params, options),
    honoursKeys: () => announcesKeys(members.getServerCapabilities()),
    hasSession: () => typeof members.transport?.sessionId === "string",
    isClosed: () => "transport" in members && members.transport === undefined,
  };
}

/** Version 1 needs a schema for every result. The names in the list are checked where they are read. */
const ANY_RESULT = { safeParse: (data: unknown) => ({ success: true, data }) };

interface Capabilities {
  readonly extensions?: Readonly<Record<string, { readonly v?: unknown; readonly keys?: unknown } | undefined>>;
}

function announcesKeys(capabilities: unknown): boolean {
  const stated = (capabilities as Capabilities | undefined)?.extensions?.[FAULTS_EXTENSION];
  return stated?.v === 1 && stated.keys === true;
}
