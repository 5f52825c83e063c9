import { firstText } from "../../dialects/envelope.ts";
import { amendFault } from "../../fault/amend.ts";
import { cleanQuote } from "../../fault/clean.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { withReport } from "../../render/model.ts";
import { cutResult } from "../../safety/cut-result.ts";
import { requestSecrets } from "../../sdk/context.ts";
import type { SdkProtocol } from "../../sdk/server.ts";
import type { ThrownSentence } from "../calls/returned-failure.ts";
import type { GuardOptions } from "../options.ts";
import { callerTextsFor } from "../release.ts";
import type { Reporter } from "../reporter.ts";
import { type ReplyPlace, reply, WireError, writeReply } from "./reply.ts";

/** What turns a sentence into an error. */
interface SentenceParts {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
  readonly protocol: SdkProtocol;
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
  { options, reporter, protocol }: SentenceParts,
): Readonly<Record<string, unknown>> {
  const secrets = requestSecrets(place.context);
  const filter = { allow: options.allow, secrets, callerTexts: callerTextsFor(place.sent, options) };
  const { result, rule } = cutResult({ content: [{ type: "text", text }] }, filter);
  const shown = firstText(result);
  const quote = shown === undefined ? undefined : { text: shown, from: "thrown" };
  const quoted = amendFault(fault, { quote: cleanQuote(quote, { ...filter, textPolicy: "checked" }) });
  const failure = { fault: quoted, cause: thrown, textHidden: rule !== undefined, cutBy: rule };
  const finished = reporter.finalize(failure, place);
  if (shown === undefined) return reply(finished, place, options, protocol);
  if (knownKind(finished) === "unknown" && finished.incident === undefined) reporter.note(finished, thrown, place);
  const { error } = writeReply(finished, place, options, protocol._negotiatedProtocolVersion);
  throw new WireError({ ...error, code: error?.code ?? -32603, message: withReport(shown, finished) });
}
