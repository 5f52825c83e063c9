// The client of the official SDK, versions 1 and 2, as far as your types need it. Nothing of the SDK is imported.

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

/** What a server says about the effects of a tool: a claim, which is believed only where you trust the server. */
export interface ToolAnnotations {
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** Calling the tool twice does no more than calling it once. */
  readonly idempotentHint?: boolean | undefined;
}
