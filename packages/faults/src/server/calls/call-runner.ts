import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import { cancelled } from "../../reasons/library/core.ts";
import { output_invalid, timeout } from "../../reasons/library/tool.ts";
import { toFault } from "../../reasons/unknown/to-fault.ts";
import { foreignFault } from "../incidents/foreign.ts";
import type { Reporter } from "../incidents/reporter.ts";
import { callerFrom } from "../keys/caller.ts";
import { once } from "../keys/once.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerProtocol, PeerServer, PeerTool } from "../peer.ts";
import { authOf, callerDeadline, callKeyOf, signalOf } from "../request/request.ts";
import { replyToCall } from "../sending/aside.ts";
import { noteQuestions } from "./asking.ts";
import { LATE, withDeadline } from "./deadline.ts";
import { declaredBy } from "./declares.ts";
import type { Input } from "./input.ts";
import { looksFailed } from "./looks-failed.ts";
import type { Outcome } from "./outcome.ts";

/** The caller gives up a little later than it says, and an answer takes a moment to arrive. */
const ANSWER_MARGIN_MS = 50;

/** What it takes to run the calls of a server. */
interface Setting {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
  readonly protocol: PeerProtocol;
  /** The SDK's own check of what a handler returned. */
  readonly checkOutput: PeerServer["validateToolOutput"];
}

/** One call of a tool. */
export interface Call {
  readonly tool: PeerTool;
  readonly input: Input;
  readonly context: unknown;
  /** The handler, as the SDK calls it. */
  readonly handle: () => Promise<unknown>;
}

/** Runs the calls of one server: in time, once where they have a key, and with an answer whatever happens. */
export class CallRunner {
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** What the SDK is given as the result of a call. */
  async answer(call: Call): Promise<unknown> {
    const outcome = await this.#outcome(call);
    if ("result" in outcome) {
      noteQuestions(outcome.result, call.context);
      return outcome.result;
    }
    const { options, protocol } = this.#setting;
    const place = { ...placeOf(call), outputSchema: call.tool.outputSchema !== undefined };
    return replyToCall(outcome.fault, place, options, protocol);
  }

  async #outcome(call: Call): Promise<Outcome> {
    const { input, context } = call;
    if (input.refused !== undefined) return this.#failed(input.refused.fault, input.refused.cause, call);
    const limitMs = this.#limitFor(call);
    const signal = signalOf(context);
    if (limitMs === undefined) return this.#keyed(call, () => signal?.aborted === true);
    const onLate = () => this.#setting.reporter.count("late");
    const outcome = await withDeadline({ limitMs, signal, onLate, run: (isLate) => this.#keyed(call, isLate) });
    if (outcome !== LATE) return outcome;
    const late = signal?.aborted === true ? cancelled.fault() : timeout.fault({ tool: input.tool, timeoutMs: limitMs });
    return this.#failed(late, undefined, call);
  }

  #keyed(call: Call, isLate: () => boolean): Promise<Outcome> {
    const { options, reporter } = this.#setting;
    const { keys: store, caller = callerFrom } = options;
    const key = store === undefined ? undefined : callKeyOf(call.context);
    if (store === undefined || key === undefined) return this.#run(call);
    return once({
      store,
      key,
      caller: () => caller(authOf(call.context)),
      tool: call.input.tool,
      arguments: call.input.sent,
      isLate,
      run: () => this.#run(call),
      refuse: (fault, cause) => this.#failed(fault, cause, call),
      tell: (cause) => reporter.tell(toFault(undefined), cause, placeOf(call)),
    });
  }

  /** Runs the handler; never rejects. */
  async #run(call: Call): Promise<Outcome> {
    try {
      return await this.#checked(await call.handle(), call);
    } catch (cause) {
      return this.#failed(this.#thrownBy(call.tool, cause), cause, call);
    }
  }

  /** What a handler returned, once its promises are kept. */
  async #checked(result: unknown, call: Call): Promise<Outcome> {
    try {
      if (typeof result !== "object" || result === null) throw new TypeError("the handler returned no result");
      await this.#setting.checkOutput(call.tool, result, call.input.tool);
    } catch (cause) {
      return this.#failed(output_invalid.fault(), cause, call);
    }
    return this.#unlessFailed(result, call);
  }

  /** What was returned, unless it is a failure in disguise that is to be answered as one. */
  #unlessFailed(result: unknown, call: Call): Outcome {
    const { options, reporter } = this.#setting;
    const { test = looksFailed, answer = "report" } = options.looksFailed ?? {};
    if (answer === "ignore" || !test(result)) return { result };
    reporter.count("looksFailed");
    const fault = toFault(undefined);
    if (answer === "fail") return this.#failed(fault, result, call);
    reporter.tell(fault, new Error("a result looks like a failure, but is not marked as one"), placeOf(call));
    return { result };
  }

  /** A tool that only reads changed nothing, whatever it threw; its author said so. */
  #thrownBy(tool: PeerTool, cause: unknown): Fault {
    const { options } = this.#setting;
    const fault = foreignFault(cause, options);
    if (tool.annotations?.readOnlyHint !== true || FaultError.is(cause) || fault.effect !== "possible") return fault;
    const { recourse: _derivedAnew, ...rest } = fault;
    return readFault({ ...rest, effect: "none" }, options) ?? fault;
  }

  #failed(fault: Fault, cause: unknown, call: Call): Outcome {
    const { options, reporter } = this.#setting;
    const place = placeOf(call);
    const out = reporter.release(fault, cause, place);
    const declared = options.development === true ? declaredBy(call.tool) : undefined;
    if (declared !== undefined && !declared.includes(fault.reason)) {
      reporter.count("undeclared");
      reporter.tell(out, new Error(`${place.tool} did not declare ${fault.reason}`), place);
    }
    return { fault: out };
  }

  #limitFor({ input, context }: Call): number | undefined {
    const { deadlineMs } = this.#setting.options;
    const own = typeof deadlineMs === "function" ? deadlineMs(input.tool) : deadlineMs;
    const callers = callerDeadline(context);
    const limits = [own, callers === undefined ? undefined : Math.max(0, callers - ANSWER_MARGIN_MS)];
    const known = limits.filter((limit) => limit !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }
}

function placeOf({ input, context }: Call) {
  return { method: "tools/call", tool: input.tool, context } as const;
}
