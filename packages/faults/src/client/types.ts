// The official SDK's client, versions 1 and 2, as far as a user's types need it. Nothing of the SDK is imported.

/** What is needed of a client; those of SDK 1 and 2 have it. */
export interface ClientLike {
  callTool(...args: never[]): Promise<unknown>;
  readResource(...args: never[]): Promise<unknown>;
  getPrompt(...args: never[]): Promise<unknown>;
  listTools(...args: never[]): Promise<unknown>;
  getServerCapabilities(): unknown;
}

/** The result of one method of a client, as that client's SDK types it. */
export type ResultOf<C, M extends keyof ClientLike> =
  C extends Readonly<Record<M, (...args: never[]) => Promise<infer R>>> ? R : unknown;

/** A tool as a server lists it, as far as it is used. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: ToolHints | undefined;
}

/** What a server says about the effects of a tool: a claim, which only a trusted server is believed. */
export interface ToolHints {
  readonly readOnlyHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
}
