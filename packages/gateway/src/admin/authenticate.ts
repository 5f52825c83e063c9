import { createHash, timingSafeEqual } from "node:crypto";
import type { Fault } from "@recourse/faults";
import { REFUSED } from "../auth/answers.ts";
import { readCredential } from "../auth/credential.ts";
import type { AdminConfig, Rate } from "../config/types.ts";
import { AddressLimit } from "../edge/address-limit.ts";
import type { RequestHead } from "../edge/head.ts";
import type { Operator } from "./route.ts";

/** How often an address may show a key that is not accepted. */
const ATTEMPTS: Rate = { perSecond: 1, burst: 20 };

/**
 * Makes the check of operators' keys. An address with too many refused keys is not listened to for a while, whatever it shows:
 * keys of the file may be weaker than those that `recourse keys add` makes.
 */
export function operatorCheck(
  keys: () => AdminConfig["keys"],
  now: () => number,
): (head: RequestHead) => Operator | { readonly refused: Fault } {
  const attempts = new AddressLimit(ATTEMPTS, now);
  return (head) => {
    const tooOften = attempts.check(head.address);
    if (tooOften !== undefined) return { refused: tooOften };
    const found = findKey(keys(), readCredential(head) ?? "");
    if (found !== undefined) return found;
    attempts.take(head.address);
    return { refused: REFUSED };
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
