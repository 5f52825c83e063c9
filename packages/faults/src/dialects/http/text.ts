import { arrayAt, isJson, type Json, memberAt, objectAt, stringAt } from "../wire.ts";

/** Members that hold a sentence, the most useful first. */
const SENTENCES = ["detail", "error_description", "message", "error_message", "errorMessage", "description", "title"];

/** The sentence that a service wrote, wherever its body has it. */
export function sentenceOf(body: unknown): string | undefined {
  const holders = [
    body,
    objectAt(body, "error"),
    arrayAt(body, "errors")[0],
    Array.isArray(body) ? body[0] : undefined,
  ];
  for (const holder of holders) {
    const found = SENTENCES.map((member) => stringAt(holder, member)).find((text) => text !== undefined && text !== "");
    if (found !== undefined) return found;
  }
  const alone = memberAt(body, "error") ?? memberAt(body, "errors");
  return typeof alone === "string" ? alone : undefined;
}

/** Sentences that a specification fixes, so that they are as good as codes. */
export function isFixed(body: unknown, sentence: string): boolean {
  return stringAt(body, "title")?.toLowerCase() === sentence.toLowerCase();
}

/** Whether the body of a success says that it failed: Slack, GraphQL without data, and others. */
export function saysFailed(body: unknown): boolean {
  if (!isJson(body)) return false;
  if (memberAt(body, "ok") === false && typeof memberAt(body, "error") === "string") return true;
  if (memberAt(body, "success") === false) return true;
  return arrayAt(body, "errors").length > 0 && hasNoData(body);
}

const GRAPHQL = ["data", "errors", "extensions"];

/** GraphQL: no data at all, or nothing but nulls. */
function hasNoData(body: Json): boolean {
  if (!Object.keys(body).every((key) => GRAPHQL.includes(key))) return false;
  const data = memberAt(body, "data") ?? {};
  return isJson(data) && Object.values(data).every((value) => value === null);
}
