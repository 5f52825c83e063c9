import { createCallApprovals } from "../approvals/call-approvals.ts";
import { type Authenticator, authenticateCaller } from "../auth/authenticator.ts";
import { askBreaker } from "../breaker/breaker-step.ts";
import type { Step } from "../call/call.ts";
import type { Observer } from "../call/observer.ts";
import { type Catalog, resolveRoute } from "../catalog/catalog.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Controls } from "../controls.ts";
import { checkHead } from "../edge/check-head.ts";
import { beginBoundCall } from "../idempotency/begin.ts";
import { checkBinding } from "../idempotency/check-binding.ts";
import { CredentialCutter } from "../judge/credential-cutter.ts";
import { judge, judgeLate } from "../judge/judge-step.ts";
import { countRefused, takeLimits, takeShare } from "../limits/limit-steps.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { Shares } from "../limits/shares.ts";
import { checkRound, openRound } from "../rounds/round-steps.ts";
import { attemptCall } from "./attempt.ts";
import { readMessage } from "./read-message.ts";

/** What the steps share. */
export interface PipelineParts {
  readonly config: GatewayConfig;
  readonly authenticator: Authenticator;
  readonly catalog: Catalog;
  readonly limiter: Limiter;
  /** What the process holds for its callers. */
  readonly shares: Shares;
  readonly controls: Pick<Controls, "breakers" | "idempotency" | "approvals" | "rounds">;
  readonly observer: Observer;
  /** The gateway as a client of its upstreams, as JSON: `{ name, version }`. */
  readonly clientInfo: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** How long after the deadline of its call a claim of a key is late, in ms. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** The way of a call through the gateway, in this order. The answer is written after the last step, or after the first fault. */
export function createPipeline(parts: PipelineParts): readonly Step[] {
  const { config, catalog, limiter, shares, controls, observer, clientInfo, now, claimGraceMs } = parts;
  const { breakers, idempotency, rounds } = controls;
  const cutter = new CredentialCutter({ observer, now });
  const approvals = createCallApprovals(config.approvals, controls.approvals);
  return [
    checkHead(config, now),
    authenticateCaller(parts.authenticator),
    countRefused(limiter, readMessage(config, shares.memory)),
    countRefused(limiter, resolveRoute(catalog)),
    takeLimits(limiter),
    takeShare({ shares, now }),
    checkBinding({
      keepsKeys: idempotency !== undefined,
      isIdentified: config.authentication === "required",
      approvals,
    }),
    checkRound({ rounds }),
    askBreaker({ breakers, judgeLate: judgeLate({ catalog }), observer, now }),
    beginBoundCall({ idempotency, approvals, now, claimGraceMs }),
    attemptCall({ catalog, observer, cutter, clientInfo, now }),
    judge({ catalog, cutter, filters: shares.filters }),
    openRound({ rounds }),
  ];
}
