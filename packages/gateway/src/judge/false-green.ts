import {
  failureSign,
  isObject,
  type JsonObject,
  mayBeFailure,
  parseJson,
  stringAt,
} from "@recourse/faults/internal-do-not-use";

/** A result that says nothing of a failure and may be one. */
export interface Suspect {
  /** The result in the form that decoders read. */
  readonly result: JsonObject;
  /** It has to be a failure, also where no decoder knows its form: it says so in words of its own. */
  readonly isGuess: boolean;
}

/**
 * Looks for a failure in a result that is not marked as one; undefined where nothing speaks for it. A flag alone, such as
 * `ok: false`, may be the answer of a check, so it counts only beside an error.
 */
export function findUnmarked(result: JsonObject): Suspect | undefined {
  if (failureSign(result) === "flag") {
    const said = errorText(result["structuredContent"]) ?? errorText(parseJson(firstText(result)));
    if (said !== undefined)
      return { result: { ...result, isError: true, content: [{ type: "text", text: said }] }, isGuess: true };
  }
  return mayBeFailure(result) ? { result, isGuess: false } : undefined;
}

function errorText(value: unknown): string | undefined {
  const error = isObject(value) ? value["error"] : undefined;
  if (typeof error === "string") return error === "" ? undefined : error;
  return isObject(error) ? (stringAt(error, "message") ?? stringAt(error, "code") ?? "") : undefined;
}

function firstText({ content }: JsonObject): string | undefined {
  return Array.isArray(content) ? stringAt(content[0], "text") : undefined;
}
