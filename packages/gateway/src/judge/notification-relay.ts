import { isUtf8 } from "node:buffer";
import { isObject, memberAt, parseJson } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import type { UpstreamOptions } from "../config/types.ts";
import { withoutFailureTexts } from "../tasks/rewrite-task.ts";
import { Allowance } from "../upstreams/flood.ts";
import type { CredentialCutter } from "./credential-cutter.ts";

/** What a server may tell its client during a call. Changed lists and cancelled requests are the gateway's own matter. */
const PASSED_NOTIFICATIONS: ReadonlySet<unknown> = new Set([
  "notifications/progress",
  "notifications/message",
  "notifications/elicitation/complete",
]);

const MAX_NOTIFICATION_BYTES = 64 * 1_024;
/** What is passed on in one call; what comes beyond it is dropped. */
const PASSED = { bytesPerSecond: 64 * 1_024, burstBytes: 256 * 1_024 };

/** What is known about a call. */
export interface NotificationRelayOptions {
  readonly upstream: UpstreamOptions;
  readonly head: RequestHead;
  readonly cutter: CredentialCutter;
  /** The fetched tokens that the upstream was shown, as it is shown them. @default none */
  readonly shownTokens?: readonly string[] | undefined;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** The task that the call asks about, as the caller knows it. @default none */
  readonly taskId?: string | undefined;
}

/** The notifications of one call on their way to its caller. */
export class NotificationRelay {
  readonly #options: NotificationRelayOptions;
  #allowance: Allowance | undefined = undefined;

  constructor(options: NotificationRelayOptions) {
    this.#options = options;
  }

  /** A notification as its caller may read it; undefined if it is dropped. */
  read(message: Buffer): Buffer | undefined {
    const { upstream, head, cutter, shownTokens, now } = this.#options;
    if (message.length > MAX_NOTIFICATION_BYTES) return undefined;
    const parsed = isUtf8(message) ? parseJson(message.toString()) : undefined;
    if (!isPassed(parsed, this.#options.taskId)) return undefined;
    this.#allowance ??= new Allowance({ ...PASSED, now });
    if (!this.#allowance.takeMessage(message.length)) return undefined;
    const isTask = memberAt(parsed, "method") === TASK_NOTIFICATION;
    const said = isTask ? withoutFailureTexts(message, "notice") : message;
    return cutter.cutNotification(said, upstream, head, shownTokens);
  }
}

/** Changes of the task that the call asks about. Those of others may belong to another caller. */
const TASK_NOTIFICATION = "notifications/tasks/status";

function isPassed(message: unknown, taskId: string | undefined): boolean {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return false;
  const method = memberAt(message, "method");
  const params = memberAt(message, "params");
  if (method === TASK_NOTIFICATION) return taskId !== undefined && memberAt(params, "taskId") === taskId;
  return PASSED_NOTIFICATIONS.has(method) && (params === undefined || isObject(params));
}
