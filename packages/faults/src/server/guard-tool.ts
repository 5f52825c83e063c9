import type { Fault } from "../fault/fault.ts";
import { FAULT_KEY } from "../json/names.ts";
import { parseJson } from "../json/read.ts";
import { renderModel } from "../render/model.ts";
import { answerReturned } from "./calls/answer-returned.ts";
import { withToolHintIfThrown } from "./calls/read-only.ts";
import { isFailedResult } from "./calls/returned-failure.ts";
import type { GuardOptions } from "./options.ts";
import { answerFacts } from "./replies/dialect-choice.ts";
import { requestOf, writeReply } from "./replies/reply.ts";
import { type Failure, type Place, Reporter } from "./reporter.ts";
import { failureOf } from "./requests/map-sdk-error.ts";

/** Options of `guardTool`. They mean what they mean for `guard`. */
export interface GuardToolOptions
  extends Pick<
    GuardOptions,
    "sink" | "foreignText" | "allow" | "speaksFaults" | "name" | "docsBase" | "reportCallerErrors" | "now" | "random"
  > {
  /**
   * The annotations that you give to the framework. A tool with `readOnlyHint` changed nothing when it fails, unless the
   * fault that you throw states an effect; a call of one with `idempotentHint` may be made again.
   * @default none: the tool may change something
   */
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** The result of a tool call that failed. */
export interface ToolFailure {
  /** Marks the result as a failure. */
  isError: true;
  /** The text for the model. */
  content: { type: "text"; text: string }[];
  /** The fault, in `recourse/fault`. */
  _meta: Record<string, unknown>;
}

/**
 * Guards the function of one tool, for servers that are not written with the official SDK, such as FastMCP: what it throws
 * becomes a tool result that says what to do next, and an incident where an operator has to hear of it. A failed result that
 * it returns is checked as by `guard`. The framework must pass on a result with `content`, `isError` and `_meta` as it is.
 *
 * The first argument counts as the arguments of the call. Checks of arguments, deadlines and idempotency keys stay with the
 * framework.
 *
 * @example
 * server.addTool({ name: "cancel_order", parameters, execute: guardTool("cancel_order", cancelOrder) });
 */
export function guardTool<A extends readonly unknown[], R>(
  tool: string,
  run: (...args: A) => R | Promise<R>,
  options: GuardToolOptions = {},
): (...args: A) => Promise<R | ToolFailure> {
  const written = (fault: Fault, place: Place) => writeReply(fault, place, options, {});
  const reporter = new Reporter(options, (fault, place) =>
    answerFacts(fault, written(fault, place), undefined, requestOf(place)),
  );
  function toResult(fault: Fault, place: Place): ToolFailure {
    const { result } = written(fault, place);
    const { resultType: _type, ...rest } = result ?? {};
    return {
      isError: true,
      content: [{ type: "text", text: renderModel(fault) }],
      _meta: { [FAULT_KEY]: fault },
      ...(rest as Partial<ToolFailure>),
    };
  }
  const finalize = (failure: Failure, place: Place) => reporter.finalize(failure, place);
  return async (...args) => {
    const startedMs = reporter.now();
    const place = () => ({ method: "tools/call", tool, context: undefined, sent: asSent(args[0]), startedMs });
    try {
      const returned = await run(...args);
      if (!isFailedResult(returned)) return returned;
      const at = place();
      const outcome = answerReturned(returned, at, { options, finalize, write: written });
      return "result" in outcome ? (outcome.result as R) : toResult(outcome.fault, at);
    } catch (cause) {
      const at = place();
      return toResult(finalize(withToolHintIfThrown(failureOf(cause, options, at.sent), options), at), at);
    }
  };
}

/** The arguments as a caller can have sent them. A framework may pass on more than that, such as getters that throw. */
function asSent(args: unknown): unknown {
  try {
    return parseJson(JSON.stringify(args) ?? "");
  } catch {
    return undefined;
  }
}
