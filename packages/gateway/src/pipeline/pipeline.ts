import type { ApprovalStore } from "../approvals/approvals.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { createBoundApprovals } from "../bound/bound-approvals.ts";
import type { Idempotency } from "../bound/idempotency.ts";
import type { Breakers } from "../breaker/breakers.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { GatewayConfig } from "../config/types.ts";
import { CredentialCutter } from "../judge/credential-cutter.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { Rounds } from "../rounds/rounds.ts";
import type { Shares } from "../shares/shares.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { Step } from "./step.ts";
import { askBreaker } from "./steps/ask-breaker.ts";
import { attempt } from "./steps/attempt.ts";
import { authenticate } from "./steps/authenticate.ts";
import { begin } from "./steps/begin.ts";
import { checkBound } from "./steps/check-bound.ts";
import { checkHead } from "./steps/check-head.ts";
import { checkRound } from "./steps/check-round.ts";
import { countRefused } from "./steps/count-refused.ts";
import { judge, judgeLate } from "./steps/judge.ts";
import { openRound } from "./steps/open-round.ts";
import { readMessage } from "./steps/read-message.ts";
import { resolve } from "./steps/resolve.ts";
import { takeLimits } from "./steps/take-limits.ts";
import { takeShare } from "./steps/take-share.ts";

/** What the steps share. */
export interface Parts {
  readonly config: GatewayConfig;
  readonly authenticator: Authenticator;
  readonly catalog: Catalog;
  readonly limiter: Limiter;
  /** What the process holds for its callers. */
  readonly shares: Shares;
  /** The circuit breakers; undefined where they are off. */
  readonly breakers: Breakers | undefined;
  /** Idempotency keys; undefined where the gateway only passes them on. */
  readonly idempotency: Idempotency | undefined;
  /** Approvals by persons; undefined where no tool needs one. */
  readonly approvals: ApprovalStore | undefined;
  /** The rounds of calls whose upstreams ask for input. */
  readonly rounds: Rounds;
  readonly observer: Observer;
  /** The gateway as a client of its upstreams, as JSON: `{ name, version }`. */
  readonly clientInfo: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** How long after the deadline of its call a claim of a key is late, in ms. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** The way of a call through the gateway, in this order. The answer is written after the last step, or after the first fault. */
export function pipeline({
  config,
  authenticator,
  catalog,
  limiter,
  shares,
  breakers,
  idempotency,
  approvals,
  rounds,
  observer,
  clientInfo,
  now,
  claimGraceMs,
}: Parts): readonly Step[] {
  const cutter = new CredentialCutter({ observer, now });
  const boundApprovals = createBoundApprovals(config.approvals, approvals);
  return [
    checkHead(config, now),
    authenticate(authenticator),
    countRefused(limiter, readMessage(config, shares.memory)),
    countRefused(limiter, resolve(catalog)),
    takeLimits(limiter),
    takeShare({ shares, now }),
    checkBound({
      keepsKeys: idempotency !== undefined,
      isIdentified: config.authentication === "required",
      approvals: boundApprovals,
    }),
    checkRound({ rounds }),
    askBreaker({ breakers, judgeLate: judgeLate({ catalog }), observer, now }),
    begin({ idempotency, approvals: boundApprovals, now, claimGraceMs }),
    attempt({ catalog, observer, cutter, clientInfo, now }),
    judge({ catalog, cutter, filters: shares.filters }),
    openRound({ rounds }),
  ];
}
