import { createHash, timingSafeEqual } from "node:crypto";
import type { Fault } from "@recourse/faults";
import { REFUSED } from "../auth/answers.ts";
import { readCredential } from "../auth/credential.ts";
import { prefixOf } from "../auth/key-format.ts";
import type { AdminConfig, Rate } from "../config/types.ts";
import { AddressLimit } from "../edge/address-limit.ts";
import type { RequestHead } from "../edge/head.ts";
import type { Operator } from "./route.ts";

/** How often an address may show keys of one prefix that are not accepted. */
const ATTEMPTS: Rate = { perSecond: 1, burst: 20 };

/**
 * Makes the check of operators' keys. Only wrong keys are slowed down: many operators come by the address of one proxy, and
 * whoever else reaches it must not be able to keep them out.
 */
export function operatorCheck(
  keys: () => AdminConfig["keys"],
  now: () => number,
): (head: RequestHead) => Operator | { readonly refused: Fault } {
  const attempts = new AddressLimit(ATTEMPTS, now);
  return (head) => {
    const credential = readCredential(head) ?? "";
    const found = findKey(keys(), credential);
    if (found !== undefined) return found;
    return { refused: attempts.take(head.address, prefixOf(credential)) ?? REFUSED };
  };
}

/** All keys are compared, each in constant time, so that the time says nothing about which were close. */
function findKey(keys: AdminConfig["keys"], credential: string): Operator | undefined {
  const digest = createHash("sha256").update(credential).digest();
  let found: Operator | undefined;
  for (const { id, role, sha256 } of keys)
    if (timingSafeEqual(digest, Buffer.from(sha256, "hex"))) found ??= { id, role };
  return credential === "" ? undefined : found;
}
