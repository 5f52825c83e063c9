import { arrayAt, isObject, type JsonObject, stringAt } from "@recourse/core/wire";
import type { Change, Defect, Incoming } from "../defect.ts";
import {
  argumentsIn,
  asksWarehouse,
  errorReply,
  findsNothing,
  findsWrongly,
  nameIn,
  resultOf,
  resultReply,
  says,
  searches,
  searchesWrongly,
  withError,
  withResult,
} from "./replies.ts";

/** Valid or of a wrong type: a server that does not look answers both alike. */
const findsAnything = (incoming: Incoming | undefined) => findsNothing(incoming) || findsWrongly(incoming);

/** Servers that check arguments too late, or do not say what is wrong. */
export const VALIDATION = {
  "args-checked-first": { on: "both", change: says(findsAnything, "item is a text that the shop does not have.") },
  "args-name-field": { on: "both", change: says(findsWrongly, "The argument must be a string.") },
  "args-name-all": { on: "both", change: says(searchesWrongly, "colour must be a string.") },
  "args-say-expected": { on: "both", change: says(findsWrongly, "item is not right.") },
  "args-limits": {
    on: "both",
    answer: (incoming) =>
      searches(incoming) &&
      !["red", "green", "blue"].includes(String(argumentsIn(incoming)["colour"])) &&
      typeof argumentsIn(incoming)["colour"] === "string"
        ? resultReply(incoming, {
            content: [{ type: "text", text: "Nothing has this colour." }],
            structuredContent: { items: [] },
            resultType: "complete",
          })
        : undefined,
  },
  "unknown-key-refused": {
    on: "both",
    change: resultOf(
      (incoming) => searches(incoming) && Object.keys(argumentsIn(incoming)).length > 2,
      ({ isError, _meta, ...result }) => ({
        ...result,
        content: [{ type: "text", text: "red lamp" }],
        structuredContent: { items: ["red lamp"] },
      }),
    ),
  },
} as const satisfies Record<string, Defect>;

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

const readsUnknown = (incoming: Incoming | undefined): boolean =>
  incoming?.method === "resources/read" && (stringAt(incoming.params, "uri") ?? "").includes("recourse-probe-value");

/** Servers with wrong answers about resources, prompts and completions that do not exist. */
export const RESOURCES = {
  "resource-not-found-code": {
    on: "both",
    change: (message, incoming) => (readsUnknown(incoming) ? withError(message, { code: -32603 }) : message),
  },
  "resource-failure-channel": {
    on: "both",
    answer: (incoming) => (readsUnknown(incoming) ? resultReply(incoming, { contents: [] }) : undefined),
  },
  "prompt-not-found-code": {
    on: "both",
    answer: (incoming) =>
      nameIn(incoming) === "recourse-probe-value" &&
      incoming.method === "prompts/get" &&
      incoming.params["arguments"] === undefined
        ? errorReply(incoming, -32603, "The prompt cannot be shown.")
        : undefined,
  },
  "prompt-argument-code": {
    on: "both",
    answer: (incoming) =>
      nameIn(incoming) === "describe_item" && argumentsIn(incoming)["item"] === undefined
        ? errorReply(incoming, -32603, "The prompt cannot be shown.")
        : undefined,
  },
  "completion-ref-code": {
    on: "both",
    answer: (incoming) =>
      incoming.method === "completion/complete" ? errorReply(incoming, -32603, "Nothing can be completed.") : undefined,
  },
} as const satisfies Record<string, Defect>;

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
