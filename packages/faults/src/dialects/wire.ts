// Reading JSON of any shape: every function takes anything and never throws.

/** A JSON object of any shape. */
export type Json = Readonly<Record<string, unknown>>;

/** Tells a JSON object from everything else. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member when it is an object. */
export function objectAt(from: unknown, key: string): Json | undefined {
  const value = memberAt(from, key);
  return isJson(value) ? value : undefined;
}

/** The member when it is a string. */
export function stringAt(from: unknown, key: string): string | undefined {
  const value = memberAt(from, key);
  return typeof value === "string" ? value : undefined;
}

/** The member when it is a finite number. */
export function numberAt(from: unknown, key: string): number | undefined {
  const value = memberAt(from, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The member when it is a whole number. */
export function integerAt(from: unknown, key: string): number | undefined {
  const value = memberAt(from, key);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** The member when it is a boolean. */
export function booleanAt(from: unknown, key: string): boolean | undefined {
  const value = memberAt(from, key);
  return typeof value === "boolean" ? value : undefined;
}

/** The member when it is an array, else an empty one. */
export function arrayAt(from: unknown, key: string): readonly unknown[] {
  const value = memberAt(from, key);
  return Array.isArray(value) ? value : [];
}

/** An own member of an object; inherited ones are nobody's data. */
export function memberAt(from: unknown, key: string): unknown {
  return isJson(from) && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** The JSON in a text, or undefined; texts over the limit are not parsed. */
export function parseJson(text: unknown, limit = 262_144): unknown {
  if (typeof text !== "string" || text.length > limit) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of the first text block of a tool result. */
export function firstText(result: unknown): string | undefined {
  const block = arrayAt(result, "content").find((one) => stringAt(one, "type") === "text");
  return stringAt(block, "text");
}

/** A JSON-RPC error object, as far as it is one. */
export interface RpcError {
  readonly code: number;
  readonly message: string | undefined;
  readonly data: unknown;
}

/** Reads `{ code, message, data }`; the code must be a whole number. */
export function rpcErrorOf(value: unknown): RpcError | undefined {
  const code = integerAt(value, "code");
  return code === undefined ? undefined : { code, message: stringAt(value, "message"), data: memberAt(value, "data") };
}

/** What a decoder may be handed, opened: a JSON-RPC message, its result or error alone, or an HTTP reply. */
export interface Opened {
  readonly result: Json | undefined;
  readonly error: RpcError | undefined;
  readonly status: number | undefined;
  readonly headers: Json | undefined;
  /** The object that was handed in, or the body of the HTTP reply. */
  readonly body: unknown;
}

/** Opens whatever was handed in. */
export function open(wire: unknown): Opened {
  const status = integerAt(wire, "status");
  const isReply = status !== undefined && isJson(wire) && "body" in wire;
  const outer = isReply ? memberAt(wire, "body") : wire;
  const body = isReply && typeof outer === "string" ? (parseJson(outer) ?? outer) : outer;
  const isMessage = isJson(body) && ("jsonrpc" in body || "result" in body);
  return {
    result: objectAt(body, "result") ?? (isJson(body) && !isMessage ? body : undefined),
    error: rpcErrorOf(memberAt(body, "error")) ?? (isMessage ? undefined : rpcErrorOf(body)),
    status: isReply ? status : undefined,
    headers: isReply ? objectAt(wire, "headers") : undefined,
    body,
  };
}
