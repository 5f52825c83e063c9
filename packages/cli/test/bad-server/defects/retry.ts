import { arrayAt, isObject, type JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Change, Defect } from "../defect.ts";
import { asksWarehouse } from "./calls.ts";
import { errorReply, withResult } from "./replies.ts";

/** The list of tools with other annotations of the tool that removes items. */
function annotated(annotations: JsonObject | undefined): Change {
  return (message, incoming) =>
    incoming?.method === "tools/list"
      ? withResult(message, (result) => ({ ...result, tools: arrayAt(result, "tools").map(change) }))
      : message;

  function change(tool: unknown): unknown {
    return isObject(tool) && tool["name"] === "remove_item" ? { ...tool, annotations } : tool;
  }
}

/** Servers that do not say whether and when to repeat a call. */
export const RETRY = {
  "retry-after": {
    on: "http",
    answer: (incoming) =>
      incoming.method === "completion/complete"
        ? errorReply(incoming, -32602, "There are too many requests.", { status: 429 })
        : undefined,
  },
  "retry-hint": {
    on: "both",
    change: (message, incoming) =>
      asksWarehouse(incoming)
        ? withResult(message, () => ({
            content: [{ type: "text", text: "The warehouse is closed. It opens later." }],
            structuredContent: { code: "warehouse_closed" },
            isError: true,
          }))
        : message,
  },
  "annotations-present": { on: "both", change: annotated(undefined) },
  "annotations-consistent": { on: "both", change: annotated({ readOnlyHint: true, destructiveHint: true }) },
} as const satisfies Record<string, Defect>;
