// Reads the parts of a reply that a client of HTTP keeps on its errors. It runs no code of the client, except the getters of the
// platform's own classes, and those of classes that keep everything behind a getter and are named here.

import { peek, peekInteger, peekString, readClassName, readClassNames, snapshot } from "../../errors/peek.ts";
import { isObjectValue } from "./meaning.ts";

type PlatformClass = "Response" | "Headers";

/**
 * The prototype of a class of the platform, if a value may be of this class. In Node the first look at such a global loads all
 * of `fetch`, so it waits for a value whose class has the name. Adapters of frameworks replace the class by one that extends it.
 */
function platformPrototype(name: PlatformClass, value: unknown): object | undefined {
  if (!readClassNames(value).includes(name)) return undefined;
  const type = (globalThis as { readonly [one in PlatformClass]?: { readonly prototype: object } })[name];
  let prototype = type?.prototype;
  for (let base = prototype; base !== undefined && base !== Object.prototype; ) {
    prototype = base;
    base = Reflect.getPrototypeOf(base) ?? undefined;
  }
  return prototype !== undefined && Object.prototype.isPrototypeOf.call(prototype, value as object)
    ? prototype
    : undefined;
}

/** What a getter of the platform's class of responses says; undefined for objects of any other class. */
function responseMember(value: unknown, member: "status" | "headers" | "url"): unknown {
  try {
    const prototype = platformPrototype("Response", value);
    return prototype && Reflect.getOwnPropertyDescriptor(prototype, member)?.get?.call(value);
  } catch {
    return undefined;
  }
}

/** A response of `fetch`; undefined for one that an author made, which has no address, and for any other value. */
export function fetchedResponse(value: unknown): ResponseHead | undefined {
  const url = responseMember(value, "url");
  return typeof url === "string" && url !== "" ? responseHead(value) : undefined;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Classes of the packages undici and node-fetch, which have the names of the platform's. */
const HIDING_CLASSES = { response: "Response", headers: "Headers" } as const;

/** Status and headers of a response, whatever client made it. Some clients keep the status beside the response. */
export function responseHead(response: unknown, besideStatus?: number): ResponseHead | undefined {
  const platformStatus = responseMember(response, "status");
  const [status, headers] =
    typeof platformStatus === "number"
      ? [platformStatus, responseMember(response, "headers")]
      : [
          peekInteger(response, "status") ??
            peekInteger(response, "statusCode") ??
            foreignMember(response, "status") ??
            besideStatus,
          peek(response, "headers") ?? peek(response, "header") ?? foreignMember(response, "headers"),
        ];
  if (typeof status !== "number" || !isObjectValue(headers)) return undefined;
  return { status, headers: { ...readHeaders(headers), ...readHeaders(peek(response, "parsedHeaders")) } };
}

/** A member behind a getter of a class that is named above. */
function foreignMember(response: unknown, member: "status" | "headers"): unknown {
  if (readClassName(response) !== HIDING_CLASSES.response) return undefined;
  try {
    return (response as Readonly<Record<string, unknown>>)[member];
  } catch {
    return undefined;
  }
}

const MAX_HEADERS = 100;

/** The maps in which Azure, gRPC and others keep headers. */
const HEADER_MAPS = ["_headersMap", "internalRepr", "headersMap"] as const;

/** Headers as an object, whatever holds them. Empty if they cannot be read. */
export function readHeaders(headers: unknown): Readonly<Record<string, unknown>> {
  if (!isObjectValue(headers)) return {};
  for (const entries of [platformEntries(headers), ...HEADER_MAPS.map((member) => mapEntries(peek(headers, member)))]) {
    if (entries !== undefined) return Object.fromEntries(entries.slice(0, MAX_HEADERS).map(headerEntry));
  }
  if (readClassName(headers) === HIDING_CLASSES.headers) return foreignHeaders(headers);
  return (snapshot(headers) ?? {}) as Readonly<Record<string, unknown>>;
}

export function isPlatformHeaders(headers: object): boolean {
  return platformPrototype("Headers", headers) !== undefined;
}

function platformEntries(headers: object): [string, unknown][] | undefined {
  const prototype = platformPrototype("Headers", headers);
  if (prototype === undefined) return undefined;
  try {
    return [...(Reflect.get(prototype, "entries") as () => Iterable<[string, string]>).call(headers)];
  } catch {
    return undefined;
  }
}

function mapEntries(map: unknown): [string, unknown][] | undefined {
  try {
    return isObjectValue(map) ? [...Map.prototype.entries.call(map)] : undefined;
  } catch {
    return undefined;
  }
}

function headerEntry([name, value]: [string, unknown]): [string, unknown] {
  return [name, peek(value, "value") ?? snapshot(value)];
}

const READ_HEADERS = /* @__PURE__ */ (
  "retry-after retry-after-ms ratelimit ratelimit-reset x-ratelimit-remaining x-ratelimit-reset date " +
  "content-type x-request-id request-id"
).split(" ");

function foreignHeaders(headers: object): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of READ_HEADERS) {
    try {
      const value: unknown = (headers as { get(name: string): unknown }).get(name);
      if (typeof value === "string") found[name] = value;
    } catch {
      return found;
    }
  }
  return found;
}

/** The longest body of bytes that is read. */
const MAX_BODY_OF_ERROR = 65_536;

/** A body that a client has read already: a text, bytes, or plain data. Anything else is a stream, and is not read. */
export function readKeptBody(body: unknown): unknown {
  if (typeof body === "string") return body === "" ? undefined : body;
  if (!isObjectValue(body)) return undefined;
  if (body instanceof Uint8Array) return body.length > MAX_BODY_OF_ERROR ? undefined : new TextDecoder().decode(body);
  if (Array.isArray(body)) return snapshot(body);
  return isPlainData(body) ? snapshot(body) : undefined;
}

function isPlainData(value: object): boolean {
  try {
    const prototype = Reflect.getPrototypeOf(value);
    return prototype === null || prototype === Object.prototype;
  } catch {
    return false;
  }
}

export function bodyIn(holder: unknown, members: readonly string[]): unknown {
  for (const member of members) {
    const body = readKeptBody(peek(holder, member));
    if (body !== undefined) return body;
  }
  return undefined;
}

export function sentenceBody(error: unknown): { readonly message: string } | undefined {
  const message = peekString(error, "message");
  return message === undefined || message === "" ? undefined : { message };
}
