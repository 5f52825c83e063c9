import { arrayAt, isObject, type JsonObject, stringAt } from "@recourse/core/wire";
import type { Change, Incoming, Seed } from "../defect.ts";
import {
  argumentsIn,
  asError,
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
  withResult,
} from "./replies.ts";

const found = (text = "red lamp"): JsonObject => ({
  content: [{ type: "text", text }],
  structuredContent: { items: ["red lamp"] },
  resultType: "complete",
});

/** Answers a call of `search_items` whose arguments are meant as if they were right. */
function accepts(isMeant: (args: JsonObject) => boolean): NonNullable<Seed["answer"]> {
  return (incoming) =>
    searches(incoming) && isMeant(argumentsIn(incoming)) ? resultReply(incoming, found()) : undefined;
}

const isList = (incoming: Incoming | undefined): boolean => incoming?.method === "tools/list";
const succeeds = (incoming: Incoming | undefined): boolean => {
  const { colour, limit } = argumentsIn(incoming);
  const isWhole = Object.keys(argumentsIn(incoming)).length === 2;
  return searches(incoming) && isWhole && typeof limit === "number" && limit <= 50 && colour === "red";
};

/** The list of tools with one of them changed. */
function listed(name: string, change: (tool: JsonObject) => unknown): Change {
  return (message, incoming) =>
    isList(incoming)
      ? withResult(message, (result) => ({
          ...result,
          tools: arrayAt(result, "tools").flatMap((tool) =>
            isObject(tool) && tool["name"] === name ? change(tool) : [tool],
          ),
        }))
      : message;
}

/** Servers that do not look at arguments, or say too little about them. */
const ARGUMENT_SEEDS = {
  "args-refused/missing": {
    finds: "args-refused",
    on: "both",
    answer: accepts(({ colour, limit }) => colour === undefined && limit === undefined),
  },
  "args-refused/every-type": {
    finds: "args-refused",
    on: "both",
    answer: accepts(({ colour, limit }) => typeof colour !== "string" && typeof limit !== "number"),
  },
  "args-limits/range": {
    finds: "args-limits",
    on: "both",
    answer: accepts(({ limit }) => typeof limit === "number" && (limit > 50 || limit < 1)),
  },
  "args-limits/length": {
    finds: "args-limits",
    on: "both",
    answer: (incoming) => {
      const { item } = argumentsIn(incoming);
      return nameIn(incoming) === "find_item" && typeof item === "string" && item.length > 200
        ? resultReply(incoming, {
            content: [{ type: "text", text: "lamp: 20" }],
            structuredContent: { name: "lamp", price: 20 },
            resultType: "complete",
          })
        : undefined;
    },
  },
  "args-checked-first/runtime": {
    finds: "args-checked-first",
    on: "both",
    also: { "leak-runtime-text": "It is the text of the runtime." },
    change: says(findsWrongly, "item.trim is not a function"),
  },
  "args-name-field/sentence": {
    finds: "args-name-field",
    on: "both",
    change: says(findsWrongly, "Invalid arguments: expected a string."),
  },
  "args-name-all/last": {
    finds: "args-name-all",
    on: "both",
    change: says(searchesWrongly, "limit must be a number."),
  },
  "args-say-expected/invalid": {
    finds: "args-say-expected",
    on: "both",
    change: says(findsWrongly, "The value of item is invalid."),
  },
  "args-channel/find": { finds: "args-channel", on: "both", change: asError(findsWrongly, -32602) },
  "leak-echo-secret/data": {
    finds: "leak-echo-secret",
    on: "both",
    change: resultOf(searches, (result, incoming) => {
      const { limit } = argumentsIn(incoming);
      return typeof limit === "string" && limit.startsWith("sk-")
        ? { ...result, _meta: { "shop/refused": { value: limit } } }
        : result;
    }),
  },
} as const satisfies Record<string, Seed>;

/** Servers whose results are not what they seem. */
const RESULT_SEEDS = {
  "false-green/json": {
    finds: "false-green",
    on: "both",
    change: resultOf(succeeds, (result) => ({ ...result, content: [{ type: "text", text: '{"ok":false}' }] })),
  },
  "false-green/status-code": {
    finds: "false-green",
    on: "both",
    change: says(succeeds, "Request failed with status code 500"),
  },
  "false-green/page": {
    finds: "false-green",
    on: "both",
    change: says(succeeds, "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>"),
  },
  "false-green/no-such-table": {
    finds: "false-green",
    on: "both",
    change: says(succeeds, "no such table: items"),
  },
  "false-green/exception": {
    finds: "false-green",
    on: "both",
    change: says(succeeds, "ValueError: the colour is not known"),
  },
  "output-matches-schema/missing": {
    finds: "output-matches-schema",
    on: "both",
    change: resultOf(succeeds, ({ structuredContent, ...result }) => result),
  },
  "output-matches-schema/null": {
    finds: "output-matches-schema",
    on: "both",
    change: resultOf(succeeds, (result) => ({ ...result, structuredContent: { items: [null] } })),
  },
  "schema-valid/no-type": {
    finds: "schema-valid",
    on: "both",
    change: listed("remove_item", (tool) => [{ ...tool, inputSchema: { properties: {} } }]),
  },
  "schema-valid/required": {
    finds: "schema-valid",
    on: "both",
    change: listed("remove_item", (tool) => [
      { ...tool, inputSchema: { type: "object", properties: { item: { type: "string" } }, required: "item" } },
    ]),
  },
  "schema-valid/none": {
    finds: "schema-valid",
    on: "both",
    change: listed("remove_item", ({ inputSchema, ...tool }) => [tool]),
  },
  "result-form/no-content": {
    finds: "result-form",
    on: "both",
    change: resultOf(succeeds, ({ content, ...result }) => result),
  },
  "result-form/part-without-type": {
    finds: "result-form",
    on: "both",
    change: resultOf(succeeds, (result) => ({ ...result, content: [{ text: "red lamp" }] })),
  },
  "result-form/is-error-text": {
    finds: "result-form",
    on: "both",
    change: resultOf(succeeds, (result) => ({ ...result, isError: "false" })),
  },
  "result-form/tools-by-name": {
    finds: "result-form",
    on: "both",
    change: resultOf(isList, (result) => ({
      ...result,
      tools: Object.fromEntries(arrayAt(result, "tools").map((tool) => [stringAt(tool, "name"), tool])),
    })),
  },
  "result-form/no-server-info": {
    finds: "result-form",
    on: "both",
    era: "2025-11-25",
    change: resultOf(
      (incoming) => incoming?.method === "initialize",
      ({ serverInfo, ...result }) => result,
    ),
  },
  "error-has-text/blank": {
    finds: "error-has-text",
    on: "both",
    change: says(findsNothing, "  "),
  },
  "error-has-text/image": {
    finds: "error-has-text",
    on: "both",
    change: resultOf(findsNothing, (result) => ({
      ...result,
      content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
    })),
  },
  "error-structured-valid/type": {
    finds: "error-structured-valid",
    on: "both",
    era: "2025-11-25",
    change: resultOf(findsNothing, (result) => ({ ...result, structuredContent: { name: null, price: "?" } })),
  },
  "tool-failure-channel/warehouse": {
    finds: "tool-failure-channel",
    on: "both",
    change: asError(asksWarehouse, -32000),
    also: { "code-legacy-range": "The code is in the range of old servers." },
  },
} as const satisfies Record<string, Seed>;

const renamed = (tool: JsonObject, name: string): JsonObject => ({ ...tool, name });

/** Servers with odd lists, and odd answers about resources and prompts. */
const LIST_SEEDS = {
  "tool-names/spaces": {
    finds: "tool-names",
    on: "both",
    change: listed("remove_item", (tool) => [renamed(tool, "remove item!")]),
  },
  "tool-names/long": {
    finds: "tool-names",
    on: "both",
    change: listed("remove_item", (tool) => [renamed(tool, `remove_${"item".repeat(40)}`)]),
  },
  "tool-names/none": {
    finds: "tool-names",
    on: "both",
    change: listed("remove_item", ({ name, ...tool }) => [tool]),
  },
  "annotations-consistent/delete": {
    finds: "annotations-consistent",
    on: "both",
    change: listed("remove_item", (tool) => [{ ...tool, annotations: { readOnlyHint: true } }]),
  },
  "annotations-present/empty": {
    finds: "annotations-present",
    on: "both",
    change: listed("remove_item", (tool) => [{ ...tool, annotations: {} }]),
  },
  "lists-complete/new-cursors": {
    finds: "lists-complete",
    on: "both",
    change: resultOf(isList, (result) => {
      pages += 1;
      return { ...result, nextCursor: `page-${pages}` };
    }),
  },
  "lists-complete/refused-cursor": {
    finds: "lists-complete",
    on: "both",
    answer: (incoming) =>
      isList(incoming) && incoming.params["cursor"] === "page-2"
        ? errorReply(incoming, -32602, "This cursor is not known.")
        : undefined,
    change: resultOf(isList, (result) => ({ ...result, nextCursor: "page-2" })),
  },
  "lists-complete/error": {
    finds: "lists-complete",
    on: "both",
    answer: (incoming) =>
      incoming.method === "prompts/list" ? errorReply(incoming, -32603, "Prompts cannot be listed now.") : undefined,
  },
  "capabilities-honest/undeclared": {
    finds: "capabilities-honest",
    on: "both",
    change: resultOf(
      (incoming) => incoming?.method === "initialize" || incoming?.method === "server/discover",
      (result) => {
        const { prompts, ...capabilities } = isObject(result["capabilities"]) ? result["capabilities"] : {};
        return { ...result, capabilities };
      },
    ),
  },
  "resource-failure-channel/text": {
    finds: "resource-failure-channel",
    on: "both",
    answer: (incoming) =>
      readsUnknown(incoming)
        ? resultReply(incoming, { contents: [{ uri: "shop://x", text: "Error: there is no such page" }] })
        : undefined,
  },
  "resource-failure-channel/is-error": {
    finds: "resource-failure-channel",
    on: "both",
    answer: (incoming) =>
      readsUnknown(incoming)
        ? resultReply(incoming, { contents: [{ uri: "shop://x", text: "Nothing here." }], isError: true })
        : undefined,
  },
  "resource-not-found-code/method": {
    finds: "resource-not-found-code",
    on: "both",
    answer: (incoming) => (readsUnknown(incoming) ? errorReply(incoming, -32601, "There is no such page.") : undefined),
  },
  "prompt-not-found-code/result": {
    finds: "prompt-not-found-code",
    on: "both",
    answer: (incoming) =>
      incoming.method === "prompts/get" &&
      nameIn(incoming).startsWith("recourse-probe") &&
      incoming.params["arguments"] === undefined
        ? resultReply(incoming, { messages: [] })
        : undefined,
  },
  "retry-after/unavailable": {
    finds: "retry-after",
    on: "http",
    answer: (incoming) =>
      incoming.method === "completion/complete"
        ? errorReply(incoming, -32602, "The shop is closed.", { status: 503 })
        : undefined,
  },
  "retry-hint/too-many": {
    finds: "retry-hint",
    on: "both",
    change: resultOf(asksWarehouse, () => ({
      content: [{ type: "text", text: "Too many requests." }],
      structuredContent: { code: "too_many" },
      isError: true,
      resultType: "complete",
    })),
  },
} as const satisfies Record<string, Seed>;

let pages = 0;

const readsUnknown = (incoming: Incoming): boolean =>
  incoming.method === "resources/read" && (stringAt(incoming.params, "uri") ?? "").includes("recourse-probe-");

/** Other forms of defects in tools, lists and resources. */
export const TOOL_SEEDS: Readonly<Record<string, Seed>> = { ...ARGUMENT_SEEDS, ...RESULT_SEEDS, ...LIST_SEEDS };
