import { toSentFault } from "../../fault/amend.ts";
import { renderModel } from "../../render/model.ts";
import { requestMeta, requestSignal } from "../../sdk/context.ts";
import { isReadOnlyTool, type SdkTool } from "../../sdk/server.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import type { GuardOptions } from "../options.ts";
import type { FinishedFailure, PendingFailure, ReplyPlace } from "../replies/reply.ts";
import type { Reporter } from "../reporter.ts";
import { thrownFailure, thrownSentence, withToolHint, withToolHintIfThrown } from "../requests/map-sdk-error.ts";
import { type AnsweredResult, answerReturned, answerThrown } from "./returned-failure.ts";

interface FailedCallParts {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
  /** The called tool, as far as its annotations are known. */
  readonly tool: Pick<SdkTool, "annotations"> | undefined;
}

/** The answer to a call whose handler threw: a sentence of its author, or a failure that this kit has to tell. */
export function answerThrownCall(
  cause: unknown,
  place: ReplyPlace,
  { options, reporter, tool }: FailedCallParts,
): AnsweredResult {
  const { guarded: code } = reporter;
  const { context, method, sent } = place;
  const known = { ...options, signal: requestSignal(context), ownPackage: code.packageName };
  const failure = withToolHintIfThrown(thrownFailure(cause, known, sent), tool);
  const sentence = thrownSentence(cause, failure, { code, options, method, meta: requestMeta(context) });
  if (sentence === undefined) return reporter.finish(failure, place);
  return answerThrown(sentence, place, { options, reporter, isReadOnly: isReadOnlyTool(tool) });
}

/** The answer to a call about which this kit found out itself that it failed. */
export function answerFailedHere(
  failure: PendingFailure,
  place: ReplyPlace,
  { reporter, tool }: Omit<FailedCallParts, "options">,
): FinishedFailure {
  return reporter.finish(withToolHint(failure, tool), place);
}

/** How the function of a tool failed. */
export type FunctionEnding = { readonly returned: Readonly<Record<string, unknown>> } | { readonly thrown: unknown };

/** The result of the function of a tool that failed, for servers that are not of the official SDK. */
export function answerFunction(ending: FunctionEnding, place: ReplyPlace, parts: FailedCallParts) {
  const isReadOnly = isReadOnlyTool(parts.tool);
  const outcome =
    "returned" in ending
      ? answerReturned(ending.returned, place, { ...parts, isReadOnly })
      : answerThrownCall(ending.thrown, place, parts);
  if ("result" in outcome) return outcome.result;
  const { fault, wire } = outcome;
  const { resultType: _type, ...rest } = wire.result ?? {};
  return {
    isError: true,
    content: [{ type: "text", text: renderModel(fault) }],
    _meta: { [FAULT_KEY]: toSentFault(fault) },
    ...rest,
  };
}
