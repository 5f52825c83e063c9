// What a guard has before anything fails, and how the first failure loads the code that reads and answers failures.

import type { Fault, Issue } from "../fault/fault.ts";
import type { Incident } from "../incidents/incident.ts";
import type { GuardedCode } from "../reasons/thrown/frames.ts";
import type { ToFaultOptions } from "../reasons/thrown/to-fault.ts";
import type { JsonSchema } from "../schema/scope.ts";
import { type Clock, type TestingOptions, toClock } from "../wire/clock.ts";
import { FAULT_KEY } from "../wire/names.ts";
import type { DeclaringTool, FailureTableOptions } from "./calls/declared-codes.ts";
import type { GuardStats } from "./options.ts";
import {
  type AnswerSummary,
  type FailurePlace,
  type FinishedFailure,
  type PendingFailure,
  WireError,
} from "./replies/reply.ts";
import type { Reporter } from "./reporter.ts";

/** The code that reads and answers failures. */
export type FailureReaders = typeof import("./failures.ts");

let loading: Promise<FailureReaders> | undefined;

/** The code that reads failures could not be loaded, so nothing can be said about one. */
export class NotLoadedError extends Error {}

/** Loads the code that reads and answers failures, once. Programs whose calls succeed never have it. */
export async function loadFailures(): Promise<FailureReaders> {
  loading ??= import("./failures.ts");
  try {
    return await loading;
  } catch (cause) {
    loading = undefined;
    throw new NotLoadedError("what reads failures could not be loaded", { cause });
  }
}

interface LateReporterOptions {
  /** The code whose failures are reported. @default not known */
  readonly guarded?: GuardedCode;
  readonly testing?: TestingOptions | undefined;
  readonly make: (code: FailureReaders, guarded: GuardedCode) => Reporter;
}

/** A reporter that is made at the first failure. */
export class LateReporter {
  readonly guarded: GuardedCode;
  readonly #make: LateReporterOptions["make"];
  readonly #clock: Clock;
  readonly #stats = { late: 0, looksFailed: 0 };
  #made: Reporter | undefined;

  constructor({ guarded = { packageName: undefined }, testing, make }: LateReporterOptions) {
    this.guarded = guarded;
    this.#make = make;
    this.#clock = toClock(testing);
  }

  get stats(): GuardStats {
    return { ...this.#stats };
  }

  /** The time on the monotonic clock, in ms. */
  monotonic(): number {
    return this.#clock.monotonic();
  }

  count(what: keyof GuardStats): void {
    this.#stats[what] += 1;
  }

  async load(): Promise<{ readonly code: FailureReaders; readonly reporter: Reporter }> {
    const code = await loadFailures();
    this.#made ??= this.#make(code, this.guarded);
    return { code, reporter: this.#made };
  }

  /** The failure as it is sent: without secrets of the request, stamped, and reported if it is an incident. */
  async finish(failure: PendingFailure, place: FailurePlace): Promise<FinishedFailure> {
    return (await this.load()).reporter.finish(failure, place);
  }

  /** Reports an incident that the caller does not learn about. */
  async report(fault: Fault, cause: unknown, place: FailurePlace, facts?: AnswerSummary): Promise<void> {
    (await this.load()).reporter.report(fault, cause, place, facts);
  }
}

// If that code could not be loaded, nothing is known about the failure, and all text is hidden.

const MESSAGE = "The call failed because of an internal error.";

const BARE_FAULT = {
  v: 1,
  kind: "internal",
  class: "terminal",
  reason: "core/internal",
  message: MESSAGE,
  effect: "possible",
  origin: { layer: "server" },
  basis: "mapped",
} as const;

/** The result of a failed call. */
export function bareResult(): Readonly<Record<string, unknown>> {
  return { content: [{ type: "text", text: MESSAGE }], isError: true, _meta: { [FAULT_KEY]: BARE_FAULT } };
}

/** The same as a JSON-RPC error. */
export function bareError() {
  return { code: -32603, message: MESSAGE, data: { [FAULT_KEY]: BARE_FAULT } };
}

/** The answer to a request of some method: a tool fails with a result, any other method with an error. */
export function bareAnswer(method: string): Readonly<Record<string, unknown>> {
  if (method === "tools/call") return bareResult();
  throw new WireError(bareError());
}

// The same code for authors.

/**
 * Turns any thrown value into a fault. It never throws. The text of a foreign error never becomes the message.
 *
 * @example
 * try {
 *   await work();
 * } catch (error) {
 *   const fault = await toFault(error);
 *   console.log(render(fault, { for: "model" }));
 * }
 */
export async function toFaultLater(thrown: unknown, options?: ToFaultOptions): Promise<Fault> {
  return (await loadFailures()).toFault(thrown, options);
}

/**
 * Checks arguments against a JSON Schema. It ends with what is wrong, by place and rule, and with nothing if they satisfy it.
 * No issue holds a received value. Of the keys that the schema does not name, only plain names are shown.
 *
 * The work of a check is limited. Arguments that are too large or too deep to be checked are refused. What the check does
 * not know counts as valid: patterns that could stall the server, references to other documents. A hostile schema can
 * neither stall nor break the check.
 *
 * @example
 * ```ts
 * await checkArguments({ n: "5" }, { type: "object", properties: { n: { type: "integer" } } });
 * // [{ pointer: "/n", rule: "type", expected: "an integer" }]
 * ```
 */
export async function checkArgumentsLater(args: unknown, schema: JsonSchema): Promise<readonly Issue[]> {
  return (await loadFailures()).checkArguments(args, schema);
}

/**
 * A copy of the error behind an incident, for error trackers and other services that take an Error and send it away. It has
 * the name, message, stack, causes and members (`errors`) of the original and none of its other properties. Registered
 * secrets and credentials of the request are cut out of it, and so is what looks like a credential or personal data in
 * messages. If nothing was thrown, it is named after the reason of the fault.
 *
 * @example
 * guard(server, { sink: async (incident) => Sentry.captureException(await redactedError(incident)) });
 */
export async function redactedErrorLater(incident: Pick<Incident, "fault" | "cause" | "secrets">): Promise<Error> {
  return (await loadFailures()).redactedError(incident);
}

/**
 * A Markdown table of how each tool may fail, from what it declared, in the codes of a dialect. Reasons with the same code
 * share a line. Tools that declared nothing are left out. A list from another server has the names of its reasons and their
 * codes; what they mean is then unknown.
 *
 * @example
 * const tools = [{ name: "cancel_order", _meta: declares(orders.not_found, orders.shipped) }];
 * writeFileSync("docs/failures.md", await failureTable(tools, { dialect: closient }));
 */
export async function failureTableLater(
  tools: readonly DeclaringTool[],
  options: FailureTableOptions,
): Promise<string> {
  return (await loadFailures()).failureTable(tools, options);
}
