// Reads the parts of a reply that a client of HTTP keeps on its errors. It runs no code of the client, except the getters of the
// platform's own classes, and those of classes that keep everything behind a getter and are named here.

import { peek, peekInteger, peekString, readClassName, snapshot } from "../../errors/peek.ts";
import { isObjectValue } from "./meaning.ts";

type Getter = (value: unknown) => unknown;

interface PlatformGlobals {
  readonly Response?: { readonly prototype: object };
  readonly Headers?: { readonly prototype: object };
}

const { Response: PlatformResponse, Headers: PlatformHeaders } = globalThis as PlatformGlobals;

/** A getter of a class of the platform; undefined for objects of any other class. */
function platformGetter(type: { readonly prototype: object } | undefined, member: string): Getter {
  const get = type && Reflect.getOwnPropertyDescriptor(type.prototype, member)?.get;
  return (value) => {
    try {
      // This check is much cheaper than a getter that throws.
      if (type === undefined || !Object.prototype.isPrototypeOf.call(type.prototype, value as object)) return undefined;
      return get?.call(value);
    } catch {
      return undefined;
    }
  };
}

const RESPONSE = {
  status: platformGetter(PlatformResponse, "status"),
  headers: platformGetter(PlatformResponse, "headers"),
  url: platformGetter(PlatformResponse, "url"),
};

/** A response of `fetch`; undefined for one that an author made, which has no address, and for any other value. */
export function fetchedResponse(value: unknown): ResponseHead | undefined {
  const url = RESPONSE.url(value);
  return typeof url === "string" && url !== "" ? responseHead(value) : undefined;
}

/** Status and headers. */
interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Classes of the packages undici and node-fetch, which have the names of the platform's. */
const HIDING_CLASSES = { response: "Response", headers: "Headers" } as const;

/** Status and headers of a response, whatever client made it. Some clients keep the status beside the response. */
export function responseHead(response: unknown, besideStatus?: number): ResponseHead | undefined {
  const platformStatus = RESPONSE.status(response);
  const [status, headers] =
    typeof platformStatus === "number"
      ? [platformStatus, RESPONSE.headers(response)]
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

/** Whether headers are an object of the platform's class. */
export function isPlatformHeaders(headers: object): boolean {
  return PlatformHeaders !== undefined && Object.prototype.isPrototypeOf.call(PlatformHeaders.prototype, headers);
}

function platformEntries(headers: object): [string, unknown][] | undefined {
  if (PlatformHeaders === undefined || !isPlatformHeaders(headers)) return undefined;
  try {
    return [...(Reflect.get(PlatformHeaders.prototype, "entries") as () => Iterable<[string, string]>).call(headers)];
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

/** A value, or an object or list that holds it. */
function headerEntry([name, value]: [string, unknown]): [string, unknown] {
  return [name, peek(value, "value") ?? snapshot(value)];
}

/** The headers that the table of replies reads. */
const READ_HEADERS = [
  "retry-after",
  "retry-after-ms",
  "ratelimit",
  "ratelimit-reset",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "date",
  "content-type",
  "x-request-id",
  "request-id",
];

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

/** The first body in these members that can be read. */
export function bodyIn(holder: unknown, members: readonly string[]): unknown {
  for (const member of members) {
    const body = readKeptBody(peek(holder, member));
    if (body !== undefined) return body;
  }
  return undefined;
}

/** The sentence of an error, as the body of a reply. */
export function sentenceBody(error: unknown): { readonly message: string } | undefined {
  const message = peekString(error, "message");
  return message === undefined || message === "" ? undefined : { message };
}
