import { objectAt } from "@recourse/faults/internal-do-not-use";
import type { Defect, Incoming } from "../defect.ts";
import { asError, callsUnknown, findsNothing, resultOf, searches } from "./calls.ts";
import { errorReply } from "./replies.ts";

function isEmptyPost({ bytes, http }: Incoming): boolean {
  return http?.request.method === "POST" && bytes.length === 0;
}

/** Servers that send failures where nobody looks. */
export const CHANNEL = {
  "unknown-tool-channel": {
    on: "both",
    change: (message, incoming) => {
      const error = objectAt(message, "error");
      if (error?.["code"] !== -32602 || !callsUnknown(incoming)) return message;
      const { error: _, ...rest } = message;
      const content = [{ type: "text", text: error["message"] }];
      return { ...rest, result: { content, isError: true, _meta: error["data"] ?? {}, resultType: "complete" } };
    },
  },
  "args-channel": { on: "both", change: asError(searches, -32602) },
  "tool-failure-channel": { on: "both", change: asError(findsNothing, -32603) },
  "error-has-text": { on: "both", change: resultOf(findsNothing, (result) => ({ ...result, content: [] })) },
  "error-structured-valid": {
    on: "both",
    change: resultOf(findsNothing, (result) => ({ ...result, structuredContent: { code: "missing" } })),
  },
  "http-error-json": {
    on: "http",
    answer: (incoming) =>
      isEmptyPost(incoming)
        ? { text: "The body is empty.", status: 400, headers: { "content-type": "text/plain" } }
        : undefined,
  },
  "http-no-5xx": {
    on: "http",
    answer: (incoming) =>
      isEmptyPost(incoming) ? errorReply(incoming, -32600, "The body is empty.", { status: 500 }) : undefined,
  },
  "http-status": {
    on: "http",
    answer: (incoming) =>
      incoming.http?.request.method === "PUT"
        ? errorReply(incoming, -32600, "This is not served here.", { status: 404 })
        : undefined,
  },
} as const satisfies Record<string, Defect>;
