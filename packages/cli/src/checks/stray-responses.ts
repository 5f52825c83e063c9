import { isObject, type JsonObject, memberAt, objectAt, parseJson } from "@recourse/faults/internal-do-not-use";
import type { Answer } from "../recording/recording.ts";
import { errorOf } from "./exchanges.ts";

/** Whether a message is a response: a result or an error. */
export function isResponse(message: JsonObject): boolean {
  return Object.hasOwn(message, "result") || Object.hasOwn(message, "error");
}

/** Every message that came back: the answer, strays, and what stands in a body or in a stream of events. */
export function messagesIn(answer: Answer): readonly JsonObject[] {
  if (answer.kind === "message") return [answer.message];
  if (answer.kind === "silent") return answer.strays;
  if (answer.kind !== "body") return [];
  const events = [...answer.text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data);
  return [answer.text, ...events].map((text) => parseJson(text)).filter(isObject);
}

/** Responses that came while an answer was waited for: with another id, or without one. */
export function strayResponses(answer: Answer): readonly JsonObject[] {
  return answer.kind === "silent" ? answer.strays.filter(isResponse) : [];
}

/** The code of the error that answers something without a readable id. Over stdio such an error has no id either. */
export function codeWithoutId(answer: Answer): unknown {
  const [stray] = strayResponses(answer);
  return memberAt(errorOf(answer) ?? objectAt(stray, "error"), "code");
}
