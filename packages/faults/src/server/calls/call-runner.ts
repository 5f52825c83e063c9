import { ABORTED, TIMED_OUT } from "../../async/race.ts";
import { looksFailed } from "../../dialects/looks-failed.ts";
import type { Fault } from "../../fault/fault.ts";
import { isObject, type JsonObject } from "../../json/read.ts";
import { cancelled, internal } from "../../reasons/library/core.ts";
import { output_invalid, result_unsendable, timeout } from "../../reasons/library/tool.ts";
import { idempotencyKeyOf, signalOf } from "../../sdk/context.ts";
import type { SdkProtocol, SdkServer, SdkTool } from "../../sdk/server.ts";
import { limitFor, runTimed } from "../deadline.ts";
import { identifyCaller } from "../idempotency/caller.ts";
import { runOnce } from "../idempotency/run-once.ts";
import type { GuardOptions } from "../options.ts";
import { replyToCall } from "../replies/deferred-error.ts";
import { withEnvelope } from "../replies/dialect-choice.ts";
import { encodingErrorOf } from "../replies/encoding-error.ts";
import { type ReplyPlace, requestOf, writeReply } from "../replies/reply.ts";
import type { Failure, Reporter } from "../reporter.ts";
import { failureOf } from "../requests/map-sdk-error.ts";
import { answerReturned, markAnswered } from "./answer-returned.ts";
import { declaredBy } from "./declares.ts";
import { rememberInputRequests } from "./input-requests.ts";
import type { Outcome } from "./outcome.ts";
import { isReadOnlyTool, withToolHint, withToolHintIfThrown } from "./read-only.ts";
import { isFailedResult } from "./returned-failure.ts";
import type { ToolInput } from "./tool-input.ts";

/** What the calls of one server have in common. */
interface RunnerParts {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
  readonly protocol: SdkProtocol;
  /** The SDK's own check of what a handler returned. */
  readonly checkOutput: SdkServer["validateToolOutput"];
}

/** One call of a tool. */
export interface ToolCall {
  readonly tool: SdkTool;
  readonly input: ToolInput;
  readonly context: unknown;
  /** The context for the handler, whose signal is also aborted when time is up. */
  readonly timed?: unknown;
  /** How long the call may take. @default no limit */
  readonly limitMs?: number | undefined;
  /** The handler, as the SDK calls it. */
  readonly handle: (context: unknown) => Promise<unknown>;
}

/** Runs tool calls: within their deadline, once where they have a key, and with an answer whatever happens. */
export class CallRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** What the SDK gets as the result of a call. */
  async answer(call: ToolCall): Promise<unknown> {
    const outcome = await this.#outcome(call);
    const result = "result" in outcome ? outcome.result : undefined;
    // A failure asks for nothing either, whatever an earlier round asked for.
    rememberInputRequests(result, call.context);
    markAnswered(call.context);
    const { options, protocol } = this.#parts;
    if ("result" in outcome) return withEnvelope(result, options.dialect, requestOf(placeOf(call)));
    const place = { ...placeOf(call), outputSchema: call.tool.outputSchema !== undefined };
    return replyToCall(outcome.fault, place, options, protocol);
  }

  async #outcome(call: ToolCall): Promise<Outcome> {
    const { input, context } = call;
    if (input.refused !== undefined) return this.#failed(input.refused, call);
    const { options, reporter } = this.#parts;
    const ms = limitFor({ method: "tools/call", tool: input.tool }, context, options);
    const caller = signalOf(context);
    const progress = { begun: false, late: false };
    const first = await runTimed({
      ms,
      context,
      run: (timed) => {
        progress.begun = true;
        return this.#keyed({ ...call, timed, limitMs: ms }, () => progress.late || caller?.aborted === true);
      },
      onLate: () => reporter.count("late"),
    });
    if (first !== TIMED_OUT && first !== ABORTED) return first;
    progress.late = true;
    const effect = progress.begun ? {} : ({ effect: "none" } as const);
    const timeoutMs = Math.max(0, ms ?? 0);
    const fault =
      first === ABORTED ? cancelled.fault({}, effect) : timeout.fault({ tool: input.tool, timeoutMs }, effect);
    return this.#failedHere({ fault }, call);
  }

  #keyed(call: ToolCall, isLate: () => boolean): Promise<Outcome> {
    const { options, reporter } = this.#parts;
    const { idempotency: store, caller, forwardsKey } = options;
    const key = store === undefined ? undefined : idempotencyKeyOf(call.context);
    if (store === undefined || key === undefined) return this.#run(call);
    return runOnce({
      store,
      key,
      caller: () => identifyCaller(call.context, caller),
      tool: call.input.tool,
      arguments: call.input.sent,
      limitMs: call.limitMs,
      honoured: forwardsKey?.(call.input.tool) === true,
      isLate,
      run: () => this.#run(call),
      refuse: (failure) => this.#failedHere(failure, call),
      reportStoreFailure: (cause) => reporter.report(internal.fault(), cause, placeOf(call)),
    });
  }

  /** Runs the handler; never rejects. */
  async #run(call: ToolCall): Promise<Outcome> {
    try {
      return await this.#checked(await call.handle(call.timed ?? call.context), call);
    } catch (cause) {
      return this.#failed(this.#thrownBy(call, cause), call);
    }
  }

  /** What a handler returned, if it has the form that the tool promises. */
  async #checked(result: unknown, call: ToolCall): Promise<Outcome> {
    try {
      if (!isObject(result)) throw new TypeError("the handler returned no result");
      await this.#parts.checkOutput(call.tool, result, call.input.tool);
    } catch (cause) {
      return this.#failedHere({ fault: output_invalid.fault(), cause }, call);
    }
    const isReadOnly = isReadOnlyTool(call.tool);
    // When the result is sent, nobody knows its tool any more.
    const unsendable = isReadOnly ? encodingErrorOf({ result }) : undefined;
    if (unsendable !== undefined) {
      return this.#failedHere({ fault: result_unsendable.fault(), cause: unsendable }, call);
    }
    return isFailedResult(result) ? this.#returned(result, call) : this.#unlessFailed(result, call);
  }

  /** A failure that the handler returned. */
  #returned(returned: JsonObject, call: ToolCall): Outcome {
    const { options, protocol } = this.#parts;
    const place = { ...placeOf(call), outputSchema: call.tool.outputSchema !== undefined };
    return answerReturned(returned, place, {
      options,
      isReadOnly: isReadOnlyTool(call.tool),
      finalize: (failure, at) => this.#finalized(failure, call, at),
      write: (fault, at) => writeReply(fault, at, options, protocol),
    });
  }

  /** What was returned, unless it is a failure that is not marked as one and has to be answered as one. */
  #unlessFailed(result: unknown, call: ToolCall): Outcome {
    const { options, reporter } = this.#parts;
    const { test = looksFailed, answer = "report" } = options.looksFailed ?? {};
    if (answer === "ignore" || !test(result)) return { result };
    reporter.count("looksFailed");
    if (answer === "fail") return this.#failed({ fault: internal.fault(), cause: result }, call);
    const cause = new Error("a result looks like a failure, but is not marked as one");
    reporter.report(internal.fault(), cause, placeOf(call));
    return { result };
  }

  #thrownBy({ tool, input }: ToolCall, cause: unknown): Failure {
    return withToolHintIfThrown(failureOf(cause, this.#parts.options, input.sent), tool);
  }

  /** A failure that this kit found itself. */
  #failedHere(failure: Failure, call: ToolCall): Outcome {
    return this.#failed(withToolHint(failure, call.tool), call);
  }

  #failed(failure: Failure, call: ToolCall): Outcome {
    return { fault: this.#finalized(failure, call) };
  }

  #finalized(failure: Failure, call: ToolCall, place: ReplyPlace = placeOf(call)): Fault {
    const { options, reporter } = this.#parts;
    const fault = reporter.finalize(failure, place);
    const declared = options.reportUndeclared === true ? declaredBy(call.tool) : undefined;
    if (declared !== undefined && !declared.includes(fault.reason)) {
      reporter.count("undeclared");
      reporter.report(fault, new Error(`${place.tool} did not declare ${fault.reason}`), place);
    }
    return fault;
  }
}

function placeOf({ input, context }: ToolCall) {
  const { tool, sent, startedMs } = input;
  return { method: "tools/call", tool, context, sent, startedMs } as const;
}
