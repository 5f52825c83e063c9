import type { RequestHead } from "../edge/head.ts";

const BEARER = /^bearer +([\x21-\x7e]+) *$/i;
const KEY_HEADER = /^[\x21-\x7e]+$/;

/** Longer ones are refused without being hashed. */
const MAX_LENGTH = 8_192;

/**
 * The key or token that a request shows, in `Authorization: Bearer` or in `x-api-key`. Undefined where there is none, where
 * it is malformed, and where the two headers differ.
 */
export function readCredential(head: RequestHead): string | undefined {
  const authorization = head.header("authorization");
  const key = head.header("x-api-key");
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) return undefined;
  if (key !== undefined && (!KEY_HEADER.test(key) || (bearer !== undefined && bearer !== key))) return undefined;
  const credential = bearer ?? key;
  return credential === undefined || credential.length > MAX_LENGTH ? undefined : credential;
}
