import { auth } from "@recourse/core/reasons";
import { isCookieName, isHeaderName, isReservedHeader } from "../operations/headers.ts";
import {
  type Credential,
  type CredentialParts,
  checkHeaderValue,
  isCookieValue,
  isHeaderValue,
  takesToken,
} from "./credential.ts";

/**
 * A bearer token of this server: `Authorization: Bearer …`.
 *
 * It throws a TypeError if the token cannot be sent in a header.
 *
 * @example
 * const crm = await openapi("./crm.yaml", { credential: bearer(process.env.CRM_TOKEN ?? "") });
 */
export function bearer(token: string): Credential {
  const value = checkHeaderValue(token, "token");
  return ownHeader(`Bearer ${value}`, [value], takesToken);
}

/**
 * A user name and password of this server: `Authorization: Basic …`. Many APIs take a key as the name and no password.
 *
 * It throws a TypeError if the name or the password cannot be sent.
 *
 * @example
 * const payments = await openapi("./payments.yaml", { credential: basic(process.env.PAYMENTS_KEY ?? "") });
 */
export function basic(user: string, password = ""): Credential {
  if (!isPlainText(user) || user.includes(":"))
    throw new TypeError("the user name cannot be sent: remove colons and control characters from it");
  if (!isPlainText(password)) throw new TypeError("the password cannot be sent: remove control characters from it");
  const pair = Buffer.from(`${user}:${password}`).toString("base64");
  // Beside a password the name is not secret, and it may be an ordinary word.
  const secrets = [pair, password === "" ? user : password];
  const fits: Credential["fits"] = (scheme) =>
    scheme === undefined || (scheme.type === "http" && scheme.scheme === "basic");
  return ownHeader(`Basic ${pair}`, secrets, fits);
}

function ownHeader(authorization: string, secrets: readonly string[], fits: Credential["fits"]): Credential {
  const applied = { ok: true, parts: { headers: { authorization } }, secrets: [] } as const;
  return { owner: "own", secrets, fits, apply: async () => applied };
}

function isPlainText(text: unknown): text is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a header.
  return typeof text === "string" && !/[\u0000-\u001f\u007f]/.test(text);
}

/** Where an API key is sent. */
export interface ApiKeyLocation {
  /** The part of the request. */
  readonly in: "header" | "query" | "cookie";
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
}

/**
 * An API key of this server. It is sent where the document's security scheme says, or at `location` if the document
 * declares no security.
 *
 * It throws a TypeError if the key cannot be sent at the location.
 *
 * @example
 * const weather = await openapi("./weather.json", {
 *   credential: apiKey(process.env.WEATHER_KEY ?? "", { in: "header", name: "x-api-key" }),
 * });
 */
export function apiKey(value: string, location?: ApiKeyLocation): Credential {
  const key = checkHeaderValue(value, "key");
  if (location !== undefined && !canHold(location, key))
    throw new TypeError(`the key cannot be sent in a ${location.in} of this name: choose another name or place`);
  return {
    owner: "own",
    secrets: [key],
    fits: (scheme) =>
      scheme?.type === "apiKey"
        ? canHold({ in: scheme.in, name: scheme.key }, key)
        : scheme === undefined && location !== undefined,
    async apply(scheme) {
      const at = scheme?.type === "apiKey" ? { in: scheme.in, name: scheme.key } : location;
      return { ok: true, parts: at === undefined ? {} : partsAt(at, key), secrets: [] };
    },
  };
}

function canHold({ in: part, name }: ApiKeyLocation, key: string): boolean {
  // A document could name a header that decides where a request goes or how long it is.
  const isCredential = /^(?:proxy-)?authorization$/i.test(name);
  if (part === "header") return isHeaderName(name) && (isCredential || !isReservedHeader(name));
  return part === "cookie" ? isCookieName(name) && isCookieValue(key) : name !== "" && name.isWellFormed();
}

function partsAt({ in: part, name }: ApiKeyLocation, key: string): CredentialParts {
  const at = { header: "headers", query: "query", cookie: "cookies" } as const;
  return { [at[part]]: { [part === "header" ? name.toLowerCase() : name]: key } };
}

/**
 * Forwards a header of the caller's request to the service. Use it only for a service that accepts the credentials of your
 * callers: a caller can then do through this server everything that it may do at the service.
 *
 * It throws a TypeError if a name is not the name of a header.
 *
 * @example
 * const crm = await openapi("./crm.yaml", { credential: forward("authorization") });
 */
export function forward(header: string, { as = header }: { readonly as?: string } = {}): Credential {
  const [from, to] = [header.toLowerCase(), as.toLowerCase()];
  if (!isHeaderName(from) || !isHeaderName(to))
    throw new TypeError("not the name of a header: pass a name such as authorization");
  return {
    owner: "caller",
    secrets: [],
    fits: (scheme) =>
      scheme?.type === "apiKey"
        ? scheme.in === "header" && scheme.key.toLowerCase() === to
        : scheme === undefined || (to === "authorization" && (takesToken(scheme) || scheme.type === "http")),
    async apply(_, { callerHeader }) {
      const value = callerHeader(from);
      // Without a usable header the caller has to authenticate.
      if (!isHeaderValue(value)) return { ok: false, fault: auth.unauthorized.fault() };
      return { ok: true, parts: { headers: { [to]: value } }, secrets: [value] };
    },
  };
}
