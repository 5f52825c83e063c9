import type { Document } from "../document/document.ts";
import { entriesOf, objectAt } from "../document/json.ts";
import { resolvedObject } from "../document/refs.ts";
import { toText } from "../document/text.ts";
import { declaredError } from "./declared-error.ts";
import { isMediaType } from "./media-type.ts";
import type { ResponseSpec } from "./operation.ts";

const LONGEST_ACCEPT = 500;
/** Many services answer failures in this form only to those who ask for it. */
const PROBLEM = "application/problem+json";

/** The responses that an operation declares. */
export function responsesOf(document: Document, operation: unknown): readonly ResponseSpec[] {
  return entriesOf(objectAt(operation, "responses"))
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, node]) => {
      const response = resolvedObject(document, node);
      const error = declaredError(response);
      return {
        status: status === "default" ? status : status.toUpperCase(),
        description: toText(response?.["description"], 200),
        mediaTypes: entriesOf(objectAt(response, "content"))
          .map(([type]) => type.toLowerCase())
          .filter(isMediaType),
        ...(error !== undefined && { error }),
      };
    });
}

/** The `Accept` header for what an operation declares. */
export function acceptOf(responses: readonly ResponseSpec[]): string {
  const good = responses.filter(({ status }) => /^(?:2|default)/.test(status)).flatMap(({ mediaTypes }) => mediaTypes);
  const types = [...new Set([...good, "application/json", PROBLEM])];
  const accept: string[] = [];
  for (const type of types) if (accept.join(", ").length + type.length < LONGEST_ACCEPT) accept.push(type);
  return [...accept, "*/*;q=0.1"].join(", ");
}
