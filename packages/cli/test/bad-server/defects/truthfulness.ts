import { arrayAt, isObject, type JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Defect } from "../defect.ts";
import { findsWrongly, resultOf, searches } from "./calls.ts";

const isList = (incoming: { readonly method: string | undefined } | undefined) => incoming?.method === "tools/list";

/** Changes a result that is a success. */
function onSuccess(change: (result: JsonObject) => JsonObject): (result: JsonObject) => JsonObject {
  return (result) => (result["isError"] === true ? result : change(result));
}

/** Servers that say one thing and do another. */
export const TRUTHFULNESS = {
  "args-refused": {
    on: "both",
    change: resultOf(findsWrongly, ({ isError, _meta, ...result }) => ({
      ...result,
      content: [{ type: "text", text: "lamp: 20" }],
      structuredContent: { name: "lamp", price: 20 },
    })),
  },
  "false-green": {
    on: "both",
    change: resultOf(
      searches,
      onSuccess((result) => ({
        ...result,
        content: [{ type: "text", text: "Error searching the items: it is closed" }],
      })),
    ),
  },
  "output-matches-schema": {
    on: "both",
    change: resultOf(
      searches,
      onSuccess((result) => ({ ...result, structuredContent: { items: "none" } })),
    ),
  },
  "schema-valid": {
    on: "both",
    change: resultOf(isList, (result) => ({
      ...result,
      tools: arrayAt(result, "tools").map((tool) =>
        isObject(tool) && tool["name"] === "remove_item"
          ? { ...tool, inputSchema: { type: "object", properties: { item: { type: "str" } }, required: ["item"] } }
          : tool,
      ),
    })),
  },
} as const satisfies Record<string, Defect>;
