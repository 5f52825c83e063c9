import { firstText } from "../../dialects/envelope.ts";
import { amendFault } from "../../fault/amend.ts";
import { FAULT_MEMBERS } from "../../fault/clean.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { withReport } from "../../render/model.ts";
import { cutResult } from "../../safety/cut-result.ts";
import { requestSecrets } from "../../sdk/context.ts";
import type { ThrownSentence } from "../calls/returned-failure.ts";
import type { GuardOptions } from "../options.ts";
import { callerTextsFor } from "../release.ts";
import type { Reporter } from "../reporter.ts";
import { type ReplyPlace, reply, WireError } from "./reply.ts";

interface SentenceParts {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
}

/** The fault of a sentence about which nothing else is known. */
export const MERE_SENTENCE = /* @__PURE__ */ unrecognised.fault(undefined, { basis: "mapped" });

/**
 * Answers a request other than a call of a tool, whose author threw a sentence for the caller: with an error whose message is
 * the sentence, without what a rule finds in it. Its fault quotes the sentence, for readers of the fault.
 */
export function answerSentence(
  { text, fault = MERE_SENTENCE, thrown }: ThrownSentence,
  place: ReplyPlace,
  { options, reporter }: SentenceParts,
): Readonly<Record<string, unknown>> {
  const secrets = requestSecrets(place.context);
  const filter = { allow: options.allow, secrets, callerTexts: callerTextsFor(place.sent, options) };
  const { result, rule } = cutResult({ content: [{ type: "text", text }] }, filter);
  const shown = firstText(result);
  const quote = shown === undefined ? undefined : { text: shown, from: "thrown" };
  const quoted = amendFault(fault, { quote: FAULT_MEMBERS.quote.clean(quote, { ...filter, textPolicy: "checked" }) });
  const failure = { fault: quoted, cause: thrown, textHidden: rule !== undefined, cutBy: rule };
  const finished = reporter.finish(failure, place);
  const { fault: sent, wire } = finished;
  if (shown === undefined) return reply(wire);
  if (knownKind(sent) === "unknown" && sent.incident === undefined) reporter.note(finished, thrown, place);
  throw new WireError({ ...wire.error, code: wire.error?.code ?? -32603, message: withReport(shown, sent) });
}
