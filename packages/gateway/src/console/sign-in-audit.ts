import { race, sleep } from "@recourse/core/wire";
import { inBackground, type Observer } from "../call/observer.ts";
import type { Rate } from "../config/types.ts";
import { AddressLimit } from "../edge/address-limit.ts";
import type { Audit, AuditEntry } from "../incidents/audit.ts";
import { errorCode } from "../stores/store-error.ts";

/** Tells the audit who signed in and out. No method rejects: operators sign in while the database is down, too. */
export interface SignInAudit {
  signedIn(operator: string, address: string): Promise<void>;
  signedOut(operator: string, address: string): Promise<void>;
  /** A key was not accepted. Nothing is kept of it but the address, at most once a minute. */
  refused(address: string): void;
}

/** Options for the audit of sign-ins. */
interface SignInAuditOptions {
  readonly audit: Audit | undefined;
  readonly observer: Observer;
  /** Monotonic clock in ms. */
  readonly monotonic: () => number;
}

/** No operator has this id. */
const NO_OPERATOR = "-";
/** How long an operator waits for the audit. */
const AUDIT_MS = 1_000;
/** Refusals of one address, and of all addresses together: nobody fills the audit from many addresses. */
const SIGN_IN_REFUSALS: Rate = { perSecond: 1 / 60, burst: 1 };
const ALL_SIGN_IN_REFUSALS: Rate = { perSecond: 1 / 6, burst: 10 };

/** Makes the entries of sign-ins. */
export function createSignInAudit({ audit, observer, monotonic }: SignInAuditOptions): SignInAudit {
  const byAddress = new AddressLimit(SIGN_IN_REFUSALS, monotonic);
  const together = new AddressLimit(ALL_SIGN_IN_REFUSALS, monotonic);
  async function record(entry: AuditEntry): Promise<void> {
    try {
      await audit?.record(entry);
    } catch (error) {
      const { by, action } = entry;
      observer.log("warn", "The audit does not know about a sign-in.", { by, action, code: errorCode(error) });
    }
  }
  const recordSoon = async (entry: AuditEntry) => void (await race(record(entry), { ms: AUDIT_MS, sleep }));
  return {
    signedIn: (by, address) => recordSoon({ by, action: "console.sign-in", target: "console", facts: { address } }),
    signedOut: (by, address) => recordSoon({ by, action: "console.sign-out", target: "console", facts: { address } }),
    refused(address) {
      if (byAddress.take(address) !== undefined || together.take("") !== undefined) return;
      const entry = { by: NO_OPERATOR, action: "console.sign-in-refused", target: "console", facts: { address } };
      inBackground("audit", observer, record(entry));
    },
  };
}
