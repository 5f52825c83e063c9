// What defects answer and change.

import { type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import type { Change, Incoming, Reply } from "../defect.ts";

/** An error in answer to a request. */
export function errorReply(
  { id }: Pick<Incoming, "id">,
  code: unknown,
  message: unknown,
  more: { readonly status?: number; readonly data?: unknown } = {},
): Reply {
  const { status, data } = more;
  const error = { code, message, ...(data !== undefined && { data }) };
  // MCP has no null ids: an error about something without an id has none either.
  const answer = { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
  return { messages: [answer], ...(status !== undefined && { status }) };
}

/** A result in answer to a request. */
export function resultReply({ id }: Pick<Incoming, "id">, result: JsonObject): Reply {
  return { messages: [{ jsonrpc: "2.0", id, result }] };
}

/** The message with another error. */
export function withError(message: JsonObject, change: JsonObject): JsonObject {
  const error = objectAt(message, "error");
  return error === undefined ? message : { ...message, error: { ...error, ...change } };
}

/** The message with another result. */
export function withResult(message: JsonObject, change: (result: JsonObject) => JsonObject): JsonObject {
  const result = objectAt(message, "result");
  return result === undefined ? message : { ...message, result: change(result) };
}

/** The tool that a request calls, or the prompt that it asks for. */
export function nameIn(incoming: Incoming | undefined): string {
  return stringAt(incoming?.params, "name") ?? "";
}

/** The arguments of a request. */
export function argumentsIn(incoming: Incoming | undefined): JsonObject {
  return objectAt(incoming?.params, "arguments") ?? {};
}

/** Whether a request calls a tool, with whatever arguments. */
function isCallOf(incoming: Incoming | undefined, tool: string): boolean {
  return incoming?.method === "tools/call" && memberAt(incoming.params, "name") === tool;
}

// Which call of the shop is meant, and another answer to it.
type Meant = (incoming: Incoming | undefined) => boolean;

/** The longest text that the schemas accept. */
const MAX_TEXT = 200;

/** A valid call with one argument, which is a text. */
function hasOneText(incoming: Incoming | undefined, tool: string): boolean {
  const [value, ...others] = Object.values(argumentsIn(incoming));
  return isCallOf(incoming, tool) && others.length === 0 && typeof value === "string" && value.length <= MAX_TEXT;
}

/** A valid call of `find_item`, about an item that does not exist: it fails. */
export const findsNothing: Meant = (incoming) => hasOneText(incoming, "find_item");

/** A call of `find_item` with a wrong type. */
export const findsWrongly: Meant = (incoming) => {
  const { item } = argumentsIn(incoming);
  return isCallOf(incoming, "find_item") && item !== undefined && typeof item !== "string";
};

/** A valid call of `check_stock`, whose warehouse is away: it fails. */
export const asksWarehouse: Meant = (incoming) => hasOneText(incoming, "check_stock");

/** A call of `search_items`. */
export const searches: Meant = (incoming) => isCallOf(incoming, "search_items");

/** A call of `search_items` with two wrong types. */
export const searchesWrongly: Meant = (incoming) => {
  const { colour, limit } = argumentsIn(incoming);
  const bothWrong = typeof colour !== "string" && typeof limit !== "number";
  return searches(incoming) && bothWrong && colour !== undefined;
};

/** A call whose name is the number 5. */
export const namesFive: Meant = (incoming) => incoming?.method === "tools/call" && incoming.params["name"] === 5;

/** A call of a tool with a name of 4,000 letters. */
export const namesAtLength: Meant = (incoming) => nameIn(incoming).length > 2_000;

const TOOLS = ["find_item", "check_stock", "search_items", "remove_item"];

/** A call of a tool that does not exist, by any name. */
export const callsUnknown: Meant = (incoming) =>
  incoming?.method === "tools/call" && nameIn(incoming) !== "" && !TOOLS.includes(nameIn(incoming));

/** Other words for one answer of a tool. Everything else stays. */
export function says(
  isMeant: Meant,
  text: string | ((said: string, incoming: Incoming | undefined) => string),
): Change {
  return resultOf(isMeant, (result, incoming) => {
    const said = textOf(result);
    return { ...result, content: [{ type: "text", text: typeof text === "string" ? text : text(said, incoming) }] };
  });
}

/** Another result. */
export function resultOf(
  isMeant: Meant,
  change: (result: JsonObject, incoming: Incoming | undefined) => JsonObject,
): Change {
  return (message, incoming) =>
    isMeant(incoming) ? withResult(message, (result) => change(result, incoming)) : message;
}

/** Another error. */
export function errorOf(isMeant: Meant, change: JsonObject): Change {
  return (message, incoming) => (isMeant(incoming) ? withError(message, change) : message);
}

/** A result that becomes an error with the same text. */
export function asError(isMeant: Meant, code: number): Change {
  return (message, incoming) => {
    const result = objectAt(message, "result");
    if (result?.["isError"] !== true || !isMeant(incoming)) return message;
    const { result: _, ...rest } = message;
    return { ...rest, error: { code, message: textOf(result) } };
  };
}

function textOf(result: JsonObject): string {
  const { content } = result;
  return (Array.isArray(content) ? stringAt(content[0], "text") : undefined) ?? "";
}
