import { isUtf8 } from "node:buffer";
import { isObject, memberAt, parseJson } from "@recourse/wire";
import type { RequestHead } from "../call/head.ts";
import type { UpstreamOptions } from "../config/types.ts";
import { Pace } from "../upstreams/pace.ts";
import type { CredentialCutter } from "./credential-cutter.ts";

/** What a server may tell its client during a call. Changed lists and cancelled requests are the gateway's own matter. */
const PASSED_NOTIFICATIONS: ReadonlySet<unknown> = new Set([
  "notifications/progress",
  "notifications/message",
  "notifications/elicitation/complete",
]);

const MAX_NOTIFICATION_BYTES = 64 * 1_024;
/** What is passed on in one call; what comes beyond it is dropped. */
const PASSED_PACE = { bytesPerSecond: 64 * 1_024, burstBytes: 256 * 1_024 };

/** What is known about a call. */
export interface NotificationRelayOptions {
  readonly upstream: UpstreamOptions;
  readonly head: RequestHead;
  readonly cutter: CredentialCutter;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** The notifications of one call on their way to its caller. */
export class NotificationRelay {
  readonly #options: NotificationRelayOptions;
  #pace: Pace | undefined = undefined;

  constructor(options: NotificationRelayOptions) {
    this.#options = options;
  }

  /** A notification as its caller may read it; undefined where it is dropped. */
  read(message: Buffer): Buffer | undefined {
    const { upstream, head, cutter, now } = this.#options;
    this.#pace ??= new Pace({ ...PASSED_PACE, now });
    if (message.length > MAX_NOTIFICATION_BYTES || this.#pace.restMs > 0) return undefined;
    if (!isUtf8(message) || !isPassed(parseJson(message.toString()))) return undefined;
    this.#pace.count(message.length, 1);
    return cutter.cutNotification(message, upstream, head);
  }
}

function isPassed(message: unknown): boolean {
  if (!isObject(message) || message["jsonrpc"] !== "2.0" || !PASSED_NOTIFICATIONS.has(memberAt(message, "method")))
    return false;
  const params = memberAt(message, "params");
  return params === undefined || isObject(params);
}
