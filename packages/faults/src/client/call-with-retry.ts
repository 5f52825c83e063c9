import { checkNumber } from "@recourse/wire";
import type { Decoder } from "../dialects/dialect.ts";
import { FaultError } from "../fault/error.ts";
import { FAULT_LIMITS, type Fault } from "../fault/fault.ts";
import { renderQuote } from "../render/issues.ts";
import { attribute } from "../render/model.ts";
import type { ClientLike, ResultOf } from "../sdk/client.ts";
import type { CallOptions } from "./options.ts";
import { type RecourseClient, recourse } from "./recourse.ts";

/** Options of `callWithRetry`. */
export interface CallWithRetryOptions extends CallOptions {
  /** All attempts of the call, the first included: from 1 to 10. @default 3 */
  readonly attempts?: number;
  /** The dialect that the server is known to write. @default any known one is recognised */
  readonly dialect?: Decoder;
  /**
   * The message of the error that is thrown.
   * @default what the document of the dialect says, or else the name of the tool and what the server said
   */
  readonly describe?: (tool: string, fault: Fault) => string;
}

/** As long as the SDK itself waits for one answer. */
const TIMEOUT_MS = 60_000;

/** One for each client, number of attempts and dialect, so that budget and breaker remember earlier calls. */
const sharedClients = new WeakMap<object, Map<number, WeakMap<object, RecourseClient>>>();

/**
 * Calls a tool, retries the call if that is safe, returns its result, and throws a FaultError if it fails. Use
 * `recourse` instead if you make more than a few calls. With a dialect that has a `contract`, waits, attempts and the
 * message are those of its document, and each call stands alone: no budget, breaker, loop guard or common deadline.
 *
 * @example
 * const result = await callWithRetry(client, "cancel_order", { order: 7 }, { attempts: 2 });
 */
export async function callWithRetry<C extends ClientLike>(
  client: C,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: CallWithRetryOptions = {},
): Promise<ResultOf<C, "callTool">> {
  const { attempts = 3, dialect, describe = dialect?.contract?.describe ?? describeFailure, ...callOptions } = options;
  checkNumber("attempts", attempts, { min: 1, max: 10, whole: true });
  const outcome = await sharedClient(client, attempts, dialect).call(name, args, callOptions);
  if (outcome.ok) return outcome.result as ResultOf<C, "callTool">;
  const error = new FaultError(outcome.fault);
  error.message = describe(name, outcome.fault);
  // The stack shows the message of the moment when it was taken.
  Error.captureStackTrace?.(error, callWithRetry);
  throw error;
}

function sharedClient(client: ClientLike, attempts: number, dialect: Decoder | undefined): RecourseClient {
  const server = { ...(dialect && { dialect }) };
  const policy = { attempts };
  if (dialect?.contract !== undefined) {
    const retry = { policy, budget: false, breaker: false } as const;
    return recourse(client, { retry, server, deadlineMs: Number.POSITIVE_INFINITY, timeoutMs: TIMEOUT_MS });
  }
  const byAttempts = sharedClients.get(client) ?? new Map<number, WeakMap<object, RecourseClient>>();
  sharedClients.set(client, byAttempts);
  const byDialect = byAttempts.get(attempts) ?? new WeakMap<object, RecourseClient>();
  byAttempts.set(attempts, byDialect);
  const one = byDialect.get(dialect ?? client) ?? recourse(client, { retry: { policy }, server });
  byDialect.set(dialect ?? client, one);
  return one;
}

/** Frameworks show the message of an error to their model, so the words of the server stand in quotation marks. */
function describeFailure(tool: string, fault: Fault): string {
  const { message, quote } = attribute(fault);
  const said = quote === undefined ? "" : ` ${renderQuote(quote, { maxLength: FAULT_LIMITS.quote })}`;
  return `${tool} failed: ${message}${said}`;
}
