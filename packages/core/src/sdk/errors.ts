// The error classes of the official SDK, recognised without importing it.
import { peek, peekInteger, peekString, readClassName } from "../errors/peek.ts";
import { isReadable } from "../safety/line.ts";

const BRANDS = Symbol.for("mcp.sdk.errorBrands");

/** Tells an error of the SDK, or its JSON, by the name of its class: version 2 brands its errors, version 1 names them. */
export function isSdkError(value: unknown, name: string): boolean {
  if (peekString(value, "name") === name) return true;
  const brands = peek(value, BRANDS);
  // Nearly every error has none, and this test is much cheaper than a throw.
  if (typeof brands !== "object" || brands === null) return false;
  try {
    return Set.prototype.has.call(brands, `mcp.${name}`);
  } catch {
    // Not a set, or a proxy of one.
    return false;
  }
}

/** Tells the SDK's request to its host that a person has to sign in. */
export function isUnauthorizedError(value: unknown): boolean {
  return isSdkError(value, "UnauthorizedError") || readClassName(value) === "UnauthorizedError";
}

/** Tells a local timeout of the SDK from an abort, which has the same code: only the timeout carries its limit. */
export function hasTimeoutLimit(value: unknown): boolean {
  return typeof peek(peek(value, "data"), "timeout") === "number";
}

export interface SdkHttpFailure {
  readonly status: number | undefined;
  readonly body: string | undefined;
}

/** The HTTP answer behind an error of the SDK's client; undefined for any other error. */
export function sdkHttpFailure(error: unknown): SdkHttpFailure | undefined {
  if (isSdkError(error, "SdkHttpError")) {
    const data = peek(error, "data");
    return { status: peekInteger(data, "status"), body: readableText(peekString(data, "text")) };
  }
  const name = readClassName(error);
  if (name !== "StreamableHTTPError" && name !== "SseError") return undefined;
  // Version 1 writes the body behind its own words.
  const message = peekString(error, "message") ?? "";
  const start = message.indexOf("{");
  return { status: peekInteger(error, "code"), body: start < 0 ? undefined : readableText(message.slice(start)) };
}

/** The SDK decodes every body as UTF-8. What was not text is left out. */
function readableText(text: string | undefined): string | undefined {
  return text !== undefined && isReadable(text) ? text : undefined;
}
