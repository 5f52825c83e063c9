import { decodeHtml, parseJson } from "@recourse/faults/internal-do-not-use";
import type { Exchange } from "../recording/recording.ts";
import type { EraView } from "./check.ts";
import { codeOf, errorOf, isToolFailure, modelText, resultOf, statusOf } from "./exchanges.ts";
import { withoutOwn } from "./own-texts.ts";
import { stringsIn } from "./strings-in.ts";

/** One failure of the run. */
export interface Failure {
  readonly exchange: Exchange;
  /** How it was sent: as a JSON-RPC error, as the result of a tool, or as an HTTP answer without JSON-RPC. */
  readonly channel: "rpc" | "tool" | "http";
  /** The code of a JSON-RPC error, if it is a number. */
  readonly code?: number;
  /** What a model or its host reads. */
  readonly text: string;
  /** All strings of the answer, also those that hosts drop. Leaks are looked for in here. */
  readonly everything: string;
}

/** A failure with what is left of it once the probe's own texts are removed. */
export interface JudgedFailure extends Failure {
  /** `everything` without whatever says nothing about the server. */
  readonly rest: string;
}

/** Every failure of the run with what is left to judge. Computed once for each era. */
export function judgedFailures(view: EraView): readonly JudgedFailure[] {
  const cached = JUDGED.get(view.era);
  if (cached !== undefined) return cached;
  const judged = failuresOf(view).map((one) => ({ ...one, rest: withoutOwn(one.everything, view, one.exchange) }));
  JUDGED.set(view.era, judged);
  return judged;
}

const JUDGED = new WeakMap<EraView["era"], readonly JudgedFailure[]>();

/** Every failure of the run, in the order of the exchanges. */
export function failuresOf({ era }: EraView): readonly Failure[] {
  return era.exchanges.flatMap((exchange) => failureIn(exchange) ?? []);
}

/** The failure in one exchange. Undefined if it is none, or if nothing arrived. */
export function failureIn(exchange: Exchange): Failure | undefined {
  const { answer } = exchange;
  const text = modelText(answer);
  const error = errorOf(answer);
  if (error !== undefined) {
    const code = codeOf(answer);
    const everything = stringsIn(error).join("\n");
    return { exchange, channel: "rpc", ...(code !== undefined && { code }), text, everything };
  }
  if (isToolFailure(answer)) {
    return { exchange, channel: "tool", text, everything: stringsIn(resultOf(answer)).join("\n") };
  }
  if (answer.kind !== "body" || (statusOf(answer) ?? 0) < 400) return undefined;
  const json = parseJson(answer.text);
  const everything = json === undefined ? decodeHtml(answer.text) : stringsIn(json).join("\n");
  return { exchange, channel: "http", text, everything };
}
