import { createHmac } from "node:crypto";
import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { createRetryEngine, type RetryEngine } from "@recourse/core/retry";
import type { TestingOptions } from "@recourse/core/wire";
import type { Observer } from "../call/observer.ts";
import { readRetryable } from "../call/retryable-statuses.ts";
import type { ApprovalNotifyConfig } from "../config/types.ts";
import type { ApprovalChange } from "./approvals.ts";

/** What is sent about an approval that waits. Arguments are never in it. */
interface ApprovalNotice {
  readonly type: "approval.pending";
  readonly id: string;
  readonly tool: string;
  readonly tenant: string;
  readonly caller?: string | undefined;
  readonly expiresAt: string;
  readonly url?: string | undefined;
}

export interface NotifierOptions {
  /** Where to send, as the configuration says at this moment; undefined sends nothing. */
  readonly target: () => ApprovalNotifyConfig | undefined;
  readonly showCaller: (caller: string) => string | undefined;
  readonly pageOf: (id: string) => string | undefined;
  readonly observer: Pick<Observer, "log">;
  /** Time of day in ms. */
  readonly now: () => number;
  /** How many notices wait at most. @default 1_000 */
  readonly max?: number;
  /** How long one attempt may take, in ms. @default 5_000 */
  readonly timeoutMs?: number;
  /** The longest first wait before another attempt, in ms; it doubles. @default 1_000 */
  readonly baseMs?: number;
  /** Replaces the clock of the retries in tests. @default the platform's */
  readonly testing?: TestingOptions | undefined;
}

/** The first attempt and five more. */
const NOTICE_ATTEMPTS = 6;
/** Attempts at one moment: a receiver that is slow is not flooded. */
const CONCURRENCY = 8;
/** No more than one line about lost notices in this time. */
const NOTICE_LOG_MS = 10_000;

/**
 * Tells a receiver of the operator about approvals that wait. Nothing waits for it: notices are queued, sent a few at a time,
 * and given up when the approval expires. The requests follow Standard Webhooks, so that its libraries verify them.
 */
export class ApprovalNotifier {
  readonly #options: NotifierOptions;
  readonly #engine: RetryEngine;
  readonly #waiting: ApprovalChange[] = [];
  readonly #ending = new AbortController();
  #running = 0;
  #lost = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#engine = createRetryEngine({
      policy: { attempts: NOTICE_ATTEMPTS, baseMs: options.baseMs ?? 1_000, overloadBaseMs: options.baseMs ?? 1_000 },
      // Attempts at one moment are bounded, and a notice that is not sent is lost.
      budget: false,
      breaker: false,
      testing: options.testing,
    });
  }

  notify(pending: ApprovalChange): void {
    if (this.#ending.signal.aborted || this.#options.target() === undefined) return;
    if (this.#waiting.length >= (this.#options.max ?? 1_000)) {
      this.#lose(pending, "too many notices wait");
      return;
    }
    this.#waiting.push(pending);
    this.#work();
  }

  close(): void {
    this.#ending.abort();
    this.#waiting.length = 0;
  }

  #work(): void {
    while (this.#running < CONCURRENCY) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      void this.#deliver(next)
        .catch(() => this.#lose(next, "it could not be sent"))
        .finally(() => {
          this.#running -= 1;
          this.#work();
        });
    }
  }

  async #deliver(pending: ApprovalChange): Promise<void> {
    const { now, target } = this.#options;
    const { signal } = this.#ending;
    const deadlineMs = Date.parse(pending.expiresAt) - now();
    const receiver = target();
    if (receiver === undefined || !(deadlineMs > 0)) return this.#lose(pending, "the approval has expired");
    const body = JSON.stringify(this.#describe(pending));
    const call = { tool: "approvals.notify", repeatable: true, deadlineMs, signal };
    const outcome = await this.#engine.run(call, ({ leftMs }) => this.#post(receiver, pending.id, { body, leftMs }));
    if ("fault" in outcome && !signal.aborted) this.#lose(pending, outcome.fault.reason);
  }

  #describe({ id, tool, tenant, caller, expiresAt }: ApprovalChange): ApprovalNotice {
    const { showCaller, pageOf } = this.#options;
    return { type: "approval.pending", id, tool, tenant, caller: showCaller(caller), expiresAt, url: pageOf(id) };
  }

  async #post(
    { url, secret }: ApprovalNotifyConfig,
    id: string,
    { body, leftMs }: { readonly body: string; readonly leftMs: number },
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly fault: Fault }> {
    const { now, timeoutMs = 5_000 } = this.#options;
    const timestamp = String(Math.floor(now() / 1_000));
    const limit = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(timeoutMs, leftMs))));
    try {
      const response = await fetch(url, {
        method: "POST",
        // A server that redirects to another address is not the receiver named in the file.
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": signWebhook(secret, { id, timestamp, body }),
        },
        body,
        signal: AbortSignal.any([limit, this.#ending.signal]),
      });
      void response.body?.cancel().catch(() => {});
      return response.ok ? { ok: true } : { ok: false, fault: statusOf(response) };
    } catch {
      // The receiver tells repetitions by the id, so an attempt without an answer may be made again.
      return { ok: false, fault: limit.aborted ? core.timeout.fault({}) : core.unavailable.fault({}) };
    }
  }

  /** One line for many: a receiver that is down loses a notice for each approval. */
  #lose({ id }: Pick<ApprovalChange, "id">, why: string): void {
    const { observer, now } = this.#options;
    this.#lost += 1;
    if (now() - this.#loggedMs < NOTICE_LOG_MS) return;
    this.#loggedMs = now();
    observer.log("warn", "Nobody was notified of an approval that waits.", { approval: id, why, lost: this.#lost });
    this.#lost = 0;
  }
}

/** Why a receiver did not take a message: its address or secret is wrong, or it cannot now. */
function statusOf(response: Response): Fault {
  const later = readRetryable(response);
  if (later === undefined) return core.misconfigured.fault({}, { effect: "none" });
  return core.unavailable.fault({}, later.afterMs === undefined ? {} : { afterMs: later.afterMs });
}

/** What a secret begins with; the rest is the key in base64. */
const SECRET_PREFIX = "whsec_";

/** The bytes of a secret such as `whsec_…`. */
function readWebhookSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
}

/** The signature of a message, as Standard Webhooks writes it: `v1,` and the HMAC-SHA-256 of id, time and body in base64. */
export function signWebhook(
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: string },
): string {
  const digest = createHmac("sha256", readWebhookSecret(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return `v1,${digest}`;
}
