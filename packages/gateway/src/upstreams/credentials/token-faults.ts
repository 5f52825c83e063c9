import type { Fault } from "@recourse/core";
import { auth, core, transport } from "@recourse/core/reasons";
import { ABORTED } from "@recourse/core/wire";
import { UNSENT_BY_GATEWAY } from "../message.ts";
import type { TokenWaitEnd } from "./kept-token.ts";
import type { TokenRefusal } from "./token-request.ts";

/** There is no token to send a message with. Nothing was sent. */
export interface NoToken {
  readonly fault: Fault;
  readonly cause: unknown;
}

/** Faults that say nothing about the upstream itself. */
const tokenFaults = new WeakSet<Fault>();

/** Whether a fault is about a token that could not be had: the upstream was not asked, and its breaker must not count it. */
export function isTokenFault(fault: Fault): boolean {
  return tokenFaults.has(fault);
}

/** What a caller reads if there is no token for its call. */
export function noToken(why: TokenRefusal | TokenWaitEnd): NoToken {
  if (typeof why === "symbol") {
    const reason = why === ABORTED ? core.cancelled : transport.not_sent;
    return marked(reason.fault({}, UNSENT_BY_GATEWAY), undefined);
  }
  return marked(refusalFault(why), why.cause);
}

/** The caller has shown no token that one for the upstream could be made from. */
export function noSubject(): NoToken {
  return marked(auth.token_required.fault({}, UNSENT_BY_GATEWAY), undefined);
}

/** How long a caller waits at least if the service does not say. */
const TOKEN_RETRY_MS = 1_000;

function refusalFault({ outcome, afterMs = TOKEN_RETRY_MS }: TokenRefusal): Fault {
  switch (outcome) {
    case "unavailable":
      return core.unavailable.fault({}, { ...UNSENT_BY_GATEWAY, retry: { allowed: true, afterMs } });
    case "misconfigured":
      return core.misconfigured.fault({}, UNSENT_BY_GATEWAY);
    case "refused":
      return auth.exchange_refused.fault({}, UNSENT_BY_GATEWAY);
    default:
      return outcome satisfies never;
  }
}

function marked(fault: Fault, cause: unknown): NoToken {
  tokenFaults.add(fault);
  return { fault, cause };
}
