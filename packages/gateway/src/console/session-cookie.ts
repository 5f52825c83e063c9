// The cookie of a session: what it holds, how it is signed, and how it travels.

import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import { ADMIN_ROLES, type AdminRole } from "../config/types.ts";

/** What a session is. The cookie holds all of it, so that no store has to be up. */
export interface ConsoleSession {
  /** The id of the operator's key. */
  readonly operator: string;
  /** Digest of the operator's line in the file. */
  readonly line: string;
  /** The role at the time of the sign-in. */
  readonly role: AdminRole;
  readonly startedMs: number;
  /** When it was last renewed. */
  readonly seenMs: number;
  /** Random; ended sessions are known by it. */
  readonly id: string;
}

/** What sessions of one gateway are signed with. */
export interface SessionKey {
  readonly secret: string | Buffer;
  /** The name of the gateway: another one with the same secret does not accept its sessions. */
  readonly gateway: string;
}

const COOKIE_VERSION = "v1";
/** Longer ones are none of ours, and are not digested. */
const MAX_COOKIE_LENGTH = 1_024;
const SEALED_FORM = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** Writes a session as the value of a cookie. */
export function sealSession(session: ConsoleSession, key: SessionKey): string {
  const { operator, line, role, startedMs, seenMs, id } = session;
  const payload = Buffer.from(JSON.stringify([operator, line, role, startedMs, seenMs, id])).toString("base64url");
  return `${COOKIE_VERSION}.${payload}.${signPayload(payload, key).toString("base64url")}`;
}

/** Reads the value of a cookie; undefined if this gateway has not signed it. Whether it still counts is another question. */
export function unsealSession(text: string, key: SessionKey): ConsoleSession | undefined {
  const [, payload, signature] = text.length > MAX_COOKIE_LENGTH ? [] : (SEALED_FORM.exec(text) ?? []);
  if (payload === undefined || signature === undefined) return undefined;
  if (!timingSafeEqual(signPayload(payload, key), Buffer.from(signature, "base64url"))) return undefined;
  const parts = parseJson(Buffer.from(payload, "base64url").toString());
  if (!Array.isArray(parts)) return undefined;
  const [operator, line, role, startedMs, seenMs, id] = parts as unknown[];
  const isRole = (ADMIN_ROLES as readonly unknown[]).includes(role);
  if (![operator, line, id].every((part) => typeof part === "string")) return undefined;
  if (!isRole || !Number.isSafeInteger(startedMs) || !Number.isSafeInteger(seenMs)) return undefined;
  return { operator, line, role, startedMs, seenMs, id } as ConsoleSession;
}

/** The label keeps what is signed here apart from whatever else is signed with the same secret. */
function signPayload(payload: string, { secret, gateway }: SessionKey): Buffer {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["recourse console session", COOKIE_VERSION, gateway, payload]))
    .digest();
}

/** How browsers reach the console: by https, or by http on this machine. */
export type CookieScheme = "https" | "http";

/** Browsers accept the prefix only with `Secure`, for the whole host, and from this host alone. */
const COOKIES = {
  https: { name: "__Host-recourse_console", attributes: "; Secure; HttpOnly; SameSite=Strict; Path=/" },
  http: { name: "recourse_console", attributes: "; HttpOnly; SameSite=Strict; Path=/" },
} as const satisfies Record<CookieScheme, { readonly name: string; readonly attributes: string }>;

/** The header that gives a browser its session. */
export function writeCookie(scheme: CookieScheme, value: string): string {
  const { name, attributes } = COOKIES[scheme];
  return `${name}=${value}${attributes}`;
}

/** The header that takes the session from a browser. */
export function removeCookie(scheme: CookieScheme): string {
  return `${writeCookie(scheme, "")}; Max-Age=0`;
}

/** The session that a browser sends. Of two cookies with the name, nobody knows which one is the operator's: none counts. */
export function readCookie(scheme: CookieScheme, head: RequestHead): string | undefined {
  const { name } = COOKIES[scheme];
  const values = (head.header("cookie") ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}
