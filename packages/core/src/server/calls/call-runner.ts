import { looksFailed } from "../../dialects/envelope.ts";
import type { Fault } from "../../fault/fault.ts";
import { cancelled, internal } from "../../reasons/library/core.ts";
import { failed as elicitation_failed } from "../../reasons/library/elicitation.ts";
import { missing_client_capability } from "../../reasons/library/protocol.ts";
import { failed as sampling_failed } from "../../reasons/library/sampling.ts";
import { output_invalid, result_unsendable, timeout } from "../../reasons/library/tool.ts";
import { callIdempotencyKey, RequestMap, requestMeta, requestSignal } from "../../sdk/context.ts";
import { isReadOnlyTool, type SdkProtocol, type SdkTool, type SdkToolServer } from "../../sdk/server.ts";
import { isObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { ABORTED, TIMED_OUT } from "../../wire/waiting.ts";
import { requestLimit, runTimed } from "../deadline.ts";
import type { LateReporter } from "../first-failure.ts";
import { identifyCaller } from "../idempotency/caller.ts";
import { runOnce, type SentOutcome } from "../idempotency/run-once.ts";
import type { GuardOptions } from "../options.ts";
import { withDialectEnvelope } from "../replies/dialect-choice.ts";
import { findEncodingError } from "../replies/guard-replies.ts";
import {
  answeredCalls,
  dialectRequest,
  isFailedResult,
  type PendingFailure,
  type ReplyPlace,
  replyToCall,
} from "../replies/reply.ts";

interface RunnerParts {
  readonly options: GuardOptions;
  readonly reporter: LateReporter;
  readonly protocol: SdkProtocol;
  /** The SDK's own check of what a handler returned. @default the handler's result is checked elsewhere */
  readonly checkOutput?: SdkToolServer["validateToolOutput"];
}

interface ToolCall {
  /** Undefined if nothing is known of the tool. */
  readonly tool: SdkTool | undefined;
  /** Finds out what the server says of a tool that is not registered. It is asked only when that counts. */
  readonly learn?: () => Promise<SdkTool | undefined>;
  readonly input: ToolInput;
  readonly context: unknown;
  /** The context for the handler, whose signal is also aborted when time is up. */
  readonly timed?: unknown;
  /** Whether what reads its failure is being loaded. */
  readonly progress?: { isLoading: boolean };
  /** How long the call may take. @default no limit */
  readonly limitMs?: number | undefined;
  readonly handle: (context: unknown) => Promise<unknown>;
}

/** Runs tool calls: within their deadline, once if they have a key, and with an answer whatever happens. */
export class ToolCallRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async answer(call: ToolCall): Promise<unknown> {
    const outcome = await this.#outcome(call);
    const result = "result" in outcome ? outcome.result : undefined;
    // A failure asks for nothing either, whatever an earlier round asked for.
    rememberInputRequests(result, call.context);
    answeredCalls.set(call.context, true);
    const { options, protocol } = this.#parts;
    if ("result" in outcome) return withDialectEnvelope(result, options.dialect, dialectRequest(callPlace(call)));
    if (outcome.wire !== undefined) return replyToCall(outcome.wire, call.context);
    const { code } = await this.#parts.reporter.load();
    const place = replyPlace(await learnt(call));
    return replyToCall(
      code.writeReply(outcome.fault, place, options, protocol._negotiatedProtocolVersion),
      call.context,
    );
  }

  async #outcome(call: ToolCall): Promise<SentOutcome> {
    const { input, context } = call;
    if (input.refused !== undefined) return this.#failed(input.refused, await learnt(call));
    const { options, reporter } = this.#parts;
    const ms = requestLimit({ method: "tools/call", tool: input.tool }, context, options);
    const caller = requestSignal(context);
    const progress = { begun: false, late: false, isLoading: false };
    const first = await runTimed({
      ms,
      context,
      run: (timed) => {
        progress.begun = true;
        return this.#keyed({ ...call, timed, progress, limitMs: ms }, () => progress.late || caller?.aborted === true);
      },
      isLoading: () => progress.isLoading,
      onLate: () => reporter.count("late"),
    });
    if (first !== TIMED_OUT && first !== ABORTED) return first;
    progress.late = true;
    const effect = progress.begun ? {} : ({ effect: "none" } as const);
    const timeoutMs = Math.max(0, ms ?? 0);
    const fault =
      first === ABORTED ? cancelled.fault({}, effect) : timeout.fault({ tool: input.tool, timeoutMs }, effect);
    return this.#failedHere({ fault }, await learnt(call));
  }

  #keyed(call: ToolCall, isLate: () => boolean): Promise<SentOutcome> {
    const { options, reporter } = this.#parts;
    const { store, caller, forwardsKey } = options.idempotency ?? {};
    const key = store === undefined ? undefined : callIdempotencyKey(requestMeta(call.context));
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
      // Not written yet: more is learnt of the tool when the call is answered.
      refuse: async (failure) => {
        const outcome = await this.#failedHere(failure, call);
        return "fault" in outcome ? { fault: outcome.fault } : outcome;
      },
      reportStoreFailure: (cause) => reporter.report(internal.fault(), cause, callPlace(call)),
    });
  }

  /** Runs the handler; never rejects. */
  async #run(call: ToolCall): Promise<SentOutcome> {
    try {
      return await this.#checked(await call.handle(call.timed ?? call.context), call);
    } catch (cause) {
      return this.#thrown(cause, await learnt(call));
    }
  }

  /** What a handler returned, if it has the form that the tool promises. */
  async #checked(result: unknown, call: ToolCall): Promise<SentOutcome> {
    try {
      if (!isObject(result)) throw new TypeError("the handler returned no result");
      if (call.tool !== undefined) await this.#parts.checkOutput?.(call.tool, result, call.input.tool);
    } catch (cause) {
      return this.#failedHere({ fault: output_invalid.fault(), cause }, await learnt(call));
    }
    // When the result is sent, nobody knows its tool any more.
    const isChecked = call.learn !== undefined || isReadOnlyTool(call.tool);
    const unsendable = isChecked ? findEncodingError({ result }) : undefined;
    if (unsendable !== undefined) {
      return this.#failedHere({ fault: result_unsendable.fault(), cause: unsendable }, await learnt(call));
    }
    if (!isFailedResult(result)) return this.#unlessFailed(result, call);
    const { options } = this.#parts;
    const { tool, ...known } = await learnt(call);
    const { code, reporter } = await this.#load(call);
    const parts = { options, reporter, isReadOnly: isReadOnlyTool(tool) };
    return code.answerReturned(result, replyPlace({ tool, ...known }), parts);
  }

  /** What was returned, unless it is a failure that is not marked as one and has to be answered as one. */
  async #unlessFailed(result: unknown, call: ToolCall): Promise<SentOutcome> {
    const { options, reporter } = this.#parts;
    const { test = looksFailed, answer = "report" } = options.looksFailed ?? {};
    if (answer === "ignore" || !test(result)) return { result };
    reporter.count("looksFailed");
    if (answer === "fail") return this.#failed({ fault: internal.fault(), cause: result }, await learnt(call));
    const cause = new Error("a result looks like a failure, but is not marked as one");
    await reporter.report(internal.fault(), cause, callPlace(call));
    return { result };
  }

  /** What the handler threw: a sentence of its author, or a failure that this kit has to tell. */
  async #thrown(cause: unknown, call: ToolCall): Promise<SentOutcome> {
    const { code, reporter } = await this.#load(call);
    return code.answerThrownCall(cause, replyPlace(call), { options: this.#parts.options, reporter, tool: call.tool });
  }

  /** A failure that this kit found itself. */
  async #failedHere(failure: PendingFailure, call: ToolCall): Promise<SentOutcome> {
    const { code, reporter } = await this.#load(call);
    return code.answerFailedHere(failure, replyPlace(call), { reporter, tool: call.tool });
  }

  async #failed(failure: PendingFailure, call: ToolCall): Promise<SentOutcome> {
    return (await this.#load(call)).reporter.finish(failure, replyPlace(call));
  }

  async #load({ progress = { isLoading: false } }: ToolCall): ReturnType<LateReporter["load"]> {
    progress.isLoading = true;
    try {
      return await this.#parts.reporter.load();
    } finally {
      progress.isLoading = false;
    }
  }
}

function callPlace({ input, context }: ToolCall) {
  const { tool, sent, startedMs } = input;
  return { method: "tools/call", tool, context, sent, startedMs } as const;
}

function replyPlace(call: ToolCall): ReplyPlace {
  return { ...callPlace(call), outputSchema: call.tool && call.tool.outputSchema !== undefined };
}

async function learnt(call: ToolCall): Promise<ToolCall> {
  return call.tool === undefined && call.learn !== undefined ? { ...call, tool: await call.learn() } : call;
}

/** What passes from the SDK's input check to the handler: the arguments, or why they are refused. */
export class ToolInput {
  readonly tool: string;
  readonly sent: unknown;
  /** The arguments as the schema passes them to the handler. */
  readonly args: unknown;
  readonly refused: PendingFailure | undefined;
  /** When the call arrived, in ms since 1970. */
  readonly startedMs: number;

  constructor(of: Pick<ToolInput, "tool" | "sent" | "startedMs"> & Partial<Pick<ToolInput, "args" | "refused">>) {
    this.tool = of.tool;
    this.sent = of.sent;
    this.args = of.args;
    this.refused = of.refused;
    this.startedMs = of.startedMs;
  }
}

// A tool may answer with requests for input. For clients that do not know such answers the SDK sends the requests itself,
// and if that fails it makes a result of the failure that has a text and nothing else.

const CAPABILITY = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
} as const;

type InputMethod = keyof typeof CAPABILITY;

const pendingInputs = /* @__PURE__ */ new RequestMap<readonly InputMethod[]>();

function rememberInputRequests(result: unknown, context: unknown): void {
  const asks = memberAt(result, "resultType") === "input_required";
  pendingInputs.set(context, asks ? inputMethodsIn(result) : undefined);
}

function inputMethodsIn(result: unknown): InputMethod[] {
  const requests = Object.values(objectAt(result, "inputRequests") ?? {});
  const methods = requests.map((request) => stringAt(request, "method") ?? "");
  return methods.filter((method): method is InputMethod => Object.hasOwn(CAPABILITY, method));
}

/** The fault of a call that failed while it waited for input; undefined for any other. */
export function inputFailure(result: unknown, context: unknown, protocol: SdkProtocol): Fault | undefined {
  const methods = pendingInputs.get(context);
  if (methods === undefined || memberAt(result, "isError") !== true) return undefined;
  const declared = protocol.getClientCapabilities?.();
  const missing = methods.map((method) => CAPABILITY[method]).filter((name) => !isObject(memberAt(declared, name)));
  if (missing.length > 0) return missing_client_capability.fault({ capabilities: [...new Set(missing)] });
  return (methods.includes("sampling/createMessage") ? sampling_failed : elicitation_failed).fault();
}
