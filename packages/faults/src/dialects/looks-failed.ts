import { isObject, parseJson } from "../json/read.ts";
import { onlyText } from "./error-object.ts";

/** Longer texts are results, not messages about a failure. */
const MAX_TEXT_LENGTH = 2_000;

/** How clearly a result without `isError` reports a failure: with a flag, or with a member that often means one. */
export type FailureSign = "flag" | "hint";

/** Returns the sign of a failure in a result, or undefined. A result with `isError` has none: it is marked already. */
export function failureSign(result: unknown): FailureSign | undefined {
  if (!isObject(result) || result["isError"] === true) return undefined;
  return signIn(result["structuredContent"]) ?? signIn(parseJson(onlyText(result), MAX_TEXT_LENGTH));
}

/** Checks whether a result reports a failure without `isError`, such as `{ success: false }` or `{ error: … }`. */
export function looksFailed(result: unknown): boolean {
  return failureSign(result) !== undefined;
}

function signIn(value: unknown): FailureSign | undefined {
  if (!isObject(value)) return undefined;
  if (value["success"] === false || value["ok"] === false || value["isError"] === true) return "flag";
  const { status, error } = value;
  const isHint =
    status === "error" || status === "failed" || (typeof error === "string" && error !== "") || isObject(error);
  return isHint ? "hint" : undefined;
}
