import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer, Exchange } from "../recording/recording.ts";
import type { StimulusName } from "../recording/stimuli.ts";
import type { EraView } from "./check.ts";

/** The exchanges of one stimulus, and of some of its variants if they are named. */
export function of(view: EraView, stimulus: StimulusName, ...variants: readonly string[]): readonly Exchange[] {
  return view.era.exchanges.filter(
    (one) => one.stimulus === stimulus && (variants.length === 0 || variants.includes(one.variant ?? "")),
  );
}

/** The member `error` of a JSON-RPC answer. */
export function errorOf(answer: Answer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "error") : undefined;
}

/** The member `result` of a JSON-RPC answer. */
export function resultOf(answer: Answer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "result") : undefined;
}

/** The code of a JSON-RPC error, if it is a number. */
export function codeOf(answer: Answer): number | undefined {
  const code = memberAt(errorOf(answer), "code");
  return typeof code === "number" ? code : undefined;
}

/** The HTTP status, if the answer came by HTTP. */
export function statusOf(answer: Answer): number | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.http?.status : undefined;
}

/** Whether a tool failed and said so: a result with `isError`. */
export function isToolFailure(answer: Answer): boolean {
  return resultOf(answer)?.["isError"] === true;
}

/** Whether a request went through: a result without `isError` that asks for nothing more. */
export function isSuccess(answer: Answer): boolean {
  const result = resultOf(answer);
  return (
    result !== undefined && !isToolFailure(answer) && (stringAt(result, "resultType") ?? "complete") === "complete"
  );
}

/** Whether a request was refused in words: an error, a failed tool, or an HTTP status from 400. */
export function isRefusal(answer: Answer): boolean {
  return errorOf(answer) !== undefined || isToolFailure(answer) || (statusOf(answer) ?? 0) >= 400;
}

/** Whether the caller was refused for who it is. Nothing else can be said about such an answer. */
export function isDenied(answer: Answer): boolean {
  const status = statusOf(answer);
  return status === 401 || status === 403;
}

/**
 * What a model or the program around it reads of an answer: the texts of a tool's content, the message of an error, or
 * the body. Hosts drop everything else.
 */
export function modelText(answer: Answer): string {
  const result = resultOf(answer);
  if (result !== undefined) return contentTexts(result).join("\n");
  const error = errorOf(answer);
  if (error !== undefined) return stringAt(error, "message") ?? "";
  return answer.kind === "body" ? answer.text : "";
}

/** The texts in the content of a result. */
export function contentTexts(result: JsonObject): readonly string[] {
  return arrayAt(result, "content").flatMap((part) => {
    const text = isObject(part) && part["type"] === "text" ? part["text"] : undefined;
    return typeof text === "string" ? [text] : [];
  });
}
