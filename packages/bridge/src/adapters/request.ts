// What a handler is told about its request: version 2 of the SDK keeps it under `mcpReq`, version 1 at the top.
type Loose = Readonly<Record<string, unknown>>;

function member(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? (of as Loose)[key] : undefined;
}

/** What the adapter uses of a request. */
export interface CallRequest {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
  /** How long the caller still waits, by its own word. */
  readonly deadlineMs: number | undefined;
  /** The key that makes the call one and the same however often it is made. */
  readonly key: string | undefined;
}

/** Reads the context that the SDK hands to a handler. */
export function readRequest(context: unknown): CallRequest {
  const request = member(context, "mcpReq") ?? context;
  const call = member(member(request, "_meta"), "recourse/call");
  const [signal, deadlineMs, key] = [member(request, "signal"), member(call, "deadlineMs"), member(call, "key")];
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    deadlineMs: typeof deadlineMs === "number" && deadlineMs >= 0 ? deadlineMs : undefined,
    key: typeof key === "string" && key !== "" ? key : undefined,
  };
}
