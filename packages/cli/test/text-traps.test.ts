// Texts of servers that a check may read wrongly, both ways: failures that look like results, and results that look like failures.

import type { JsonObject } from "@recourse/core/wire";
import { expect, test } from "vitest";
import { refusesArguments } from "../src/gather/stimuli/wrong-arguments.ts";
import type { WrongField } from "../src/recording/recording.ts";
import {
  type CheckCase,
  exchangeOf,
  rpcError,
  rpcResult,
  saysOf,
  toolFailure,
  toolSuccess,
} from "./support/make-recording.ts";

const LIST = exchangeOf("list", rpcResult({ tools: [] }), { variant: "tools/list", method: "tools/list" });

/** Whether a check finds something. */
function finds(id: string, one: Omit<CheckCase, "about" | "says">): boolean {
  return !["pass", "skipped"].includes(saysOf(id, { about: "", says: "", ...one }));
}

interface Tool {
  readonly name?: string;
  readonly description?: string;
}

function isHiddenFailure(text: string, tool: Tool = {}): boolean {
  const listed = { name: "get_order", description: "Finds an order.", ...tool };
  const called = exchangeOf("valid-call", toolSuccess(text), { tool: listed.name });
  return finds("false-green", {
    exchanges: [called],
    view: { tools: [{ ...listed, inputSchema: { type: "object" } }] },
  });
}

test.each([
  ["a client's sentence", "Request failed with status code 500"],
  ["a status line", "HTTP 503 Service Unavailable"],
  ["a status", "502 Bad Gateway"],
  ["a status with its word", "Error 404: Not Found"],
  [
    "an HTML page",
    "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>",
  ],
  ["a sign-in page", "<html lang=en><head><title>Sign in</title></head><body>Sign in to continue</body></html>"],
  ["no table", "no such table: orders"],
  ["no table, by class", "sqlite3.OperationalError: no such table: orders"],
  ["no relation", 'relation "orders" does not exist'],
  ["a refused connection", "connect ECONNREFUSED 10.0.0.3:5432"],
  ["undefined", "Failed: undefined"],
  ["a failed fetch", "fetch failed"],
  ["an error while", "Error while fetching the order: timeout"],
  ["an error with a verb", "Error fetching order 5: socket hang up"],
  ["a mark", "❌ Failed to load order"],
  ["a traceback", 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 5'],
  ["German", "Fehler beim Laden der Bestellung: Zeitüberschreitung"],
  ["German with a colon", "Fehler: Verbindung abgelehnt"],
  ["French", "Erreur : connexion refusée"],
  ["Spanish", "Error al cargar el pedido: tiempo agotado"],
  ["Chinese", "错误：无法连接数据库"],
  ["Chinese, a request failed", "请求失败，状态码 500"],
  ["Japanese", "エラー: 注文を取得できませんでした"],
  ["Portuguese", "Erro ao buscar pedido: 500"],
])("a failure that is sent as a success is found: %s", (_, text) => {
  expect(isHiddenFailure(text)).toBe(true);
});

test("a reader of documents that fails is found", () => {
  const docs = { name: "query-docs", description: "Fetches documentation for a library." };
  expect(isHiddenFailure("Error searching libraries: TypeError: fetch failed", docs)).toBe(true);
  expect(isHiddenFailure("Failed to fetch documentation. Please try again.", docs)).toBe(true);
});

const SEARCH = { name: "search_docs", description: "Searches the documentation." };
const LOGS = { name: "get_logs", description: "Shows the last lines of the log of a service." };
const PAGES = { name: "fetch_page", description: "Fetches a web page as HTML." };

test.each<[about: string, text: string, tool?: Tool]>([
  ["a title", "Error handling in Python: try, except and finally explained", SEARCH],
  ["the same from another tool", "Error handling in Python…"],
  ["a title about messages", "Error messages that help"],
  ["a title with a class", "Error: what it means\n\nAn Error object has a message and a stack.\n", SEARCH],
  ["a document", "# Errors\n\nFailed to fetch means that the network is down.", SEARCH],
  ["a table of codes", "400 Bad Request\n401 Unauthorized\n404 Not Found\n500 Internal Server Error"],
  ["a table of codes as a document", "Error codes\n400 Bad Request\n500 Internal Server Error", SEARCH],
  ["log lines", "ERROR: disk full on /dev/sda1\nERROR: retry in 5 s", LOGS],
  ["one log line", "Error: connect ECONNREFUSED 10.0.0.1:5432", LOGS],
  ["the last error as data", '{"error":"disk full","at":"2026-01-01T00:00:00Z"}', { name: "get_last_error" }],
  [
    "errors of an app",
    "TypeError: x is not a function",
    { name: "list_issues", description: "Lists exceptions of your app." },
  ],
  ["a page", "<!DOCTYPE html><html><head><title>Orders</title></head></html>", PAGES],
  ["a page as source", "<html><body>Hi</body></html>", { name: "render_template", description: "Renders HTML." }],
  ["a count", "Errors: 0"],
  ["a list", "Failed jobs of today: none"],
  ["a count of failures", "Failed: 0, passed: 12"],
  ["nothing found", "No orders found."],
  ["a status that is data", "404 orders"],
  ["a number", "500"],
  ["an order with a status", "Order 5: payment failed with code 7, refunded"],
  ["German data", "Fehlerfrei bestellt: 5 Artikel"],
  ["Spanish data", "Errores: 0"],
])("a result that only reads like a failure is none: %s", (_, text, tool) => {
  expect(isHiddenFailure(text, tool)).toBe(false);
});

const WRONG: readonly WrongField[] = [
  { field: "count", rule: "type", schema: { type: "integer" } },
  { field: "name", rule: "type", schema: { type: "string" } },
];
const MISSING: readonly WrongField[] = [{ field: "count", rule: "missing", schema: { type: "integer" } }];
const refusal = (text: string, wrong: readonly WrongField[]) => ({
  exchanges: [
    exchangeOf("wrong-arguments", toolFailure(text), { variant: wrong[0]?.rule ?? "type", tool: "get_order", wrong }),
  ],
});
const ARGUMENT_CHECKS = ["args-name-field", "args-name-all", "args-say-expected", "message-says-something"];

test.each<[language: string, text: string, wrong: readonly WrongField[]]>([
  ["German", "Ungültige Argumente: „count“ muss eine ganze Zahl sein, „name“ muss Text sein.", WRONG],
  ["German, missing", "Das Pflichtfeld count fehlt.", MISSING],
  ["Chinese", "参数无效：count必须是整数，name必须是字符串", WRONG],
  ["Chinese, missing", "缺少必填参数count", MISSING],
  ["Traditional Chinese", "參數無效：count必須是整數，name必須是字串", WRONG],
  ["French", "Arguments invalides : « count » doit être un entier, « name » doit être une chaîne.", WRONG],
  ["French, missing", "Le champ count est obligatoire.", MISSING],
  ["Spanish", "Argumentos no válidos: count debe ser un número entero; name debe ser texto.", WRONG],
  ["Spanish, missing", "Falta el argumento count.", MISSING],
  ["Japanese", "引数が無効です: countは整数でなければなりません。nameは文字列でなければなりません。", WRONG],
  ["Japanese, missing", "countは必須です", MISSING],
  ["Portuguese", "Argumentos inválidos: count deve ser um número inteiro e name deve ser texto.", WRONG],
  ["Korean", "잘못된 인수: count는 정수여야 하고 name은 문자열이어야 합니다.", WRONG],
  ["Russian", "Неверные аргументы: count должно быть целым числом, name должно быть строкой.", WRONG],
])("a refusal in %s is understood", (_, text, wrong) => {
  const found = ARGUMENT_CHECKS.filter((id) => finds(id, refusal(text, wrong)));
  expect(found).toEqual([]);
  expect(refusesArguments(toolFailure(text), wrong)).toBe(true);
});

test.each([
  ["German", "Ungültige Argumente."],
  ["Chinese", "参数无效"],
  ["English", "Invalid arguments."],
])("a refusal in %s that names nothing is found", (_, text) => {
  expect(finds("args-name-field", refusal(text, WRONG))).toBe(true);
  expect(finds("args-say-expected", refusal(text, WRONG))).toBe(true);
});

test("a field that is only a part of another word is not named", () => {
  expect(finds("args-name-field", refusal("The account and the filename are wrong: must be a number", WRONG))).toBe(
    true,
  );
});

test.each([
  ["Failed: undefined", true],
  ["Error: null", true],
  ["Request failed: [object Object]", true],
  ["Fehler: undefined", true],
  ["Fehler", true],
  ["错误", true],
  ["错误：", true],
  ["The value of `limit` is undefined.", false],
  ["limit must not be null", false],
  ["Expected a number, got undefined", false],
  ["订单不存在", false],
])("whether the text of a failure says something: %j", (text, empty) => {
  expect(
    finds("message-says-something", { exchanges: [exchangeOf("valid-call", toolFailure(text), { tool: "x" })] }),
  ).toBe(empty);
});

test.each<[text: string, state: "found" | "pass" | "skipped"]>([
  ["Too many requests.", "found"],
  ["Rate limit exceeded", "found"],
  ["The service is temporarily unavailable", "found"],
  ["The upstream timed out", "found"],
  ["Zu viele Anfragen.", "found"],
  ["请求过于频繁", "found"],
  ["connect ECONNREFUSED; try again later", "found"],
  ["The upstream answered 503. Retry once.", "pass"],
  ["Too many requests. Try again in 30 seconds.", "pass"],
  ["Rate limit exceeded: Maximum 5 tool calls per 20 seconds. Please try again later.", "pass"],
  ["Rate limit exceeded, wait 5 s before the next call", "pass"],
  ["Service unavailable (503). Do not retry.", "pass"],
  ["ETIMEDOUT. It is safe to retry.", "pass"],
  ["Quota exceeded, retry after 2026-01-01T00:00:00Z", "pass"],
  ["There is no order 503", "skipped"],
  ["Order 429 was not found", "skipped"],
  ["Your plan has no rate limits to show", "skipped"],
])("whether a failure of the network says whether to repeat it: %j", (text, state) => {
  const says = saysOf("retry-hint", {
    about: "",
    says: "",
    exchanges: [exchangeOf("valid-call", toolFailure(text), { tool: "x" })],
  });
  expect(says.startsWith("A valid call") ? "found" : says).toBe(state);
});

test.each([
  ["a statement that failed", "Query failed: SELECT id, card FROM customers WHERE id = 5", true],
  ["a statement alone", "SELECT id, card FROM customers WHERE email = 'a'", true],
  ["an insert", "could not run INSERT INTO orders (id) VALUES (5)", true],
  ["a statement in the words of a driver", 'error in "select id, card from customers where id = 5"', true],
  ["help", "Only SELECT statements are allowed. Write a query such as SELECT name FROM users LIMIT 5.", false],
  ["help with a form", "Unknown query. Use: SELECT <columns> FROM <table>", false],
  ["help after a word", "Queries must start with SELECT, like SELECT * FROM users", false],
  ["help with try", "Try SELECT name FROM sqlite_master to list tables.", false],
  [
    "an example behind a line",
    "The query is empty.\n\nExample:\n  SELECT id, name FROM products WHERE price < 10",
    false,
  ],
  ["usage", 'Usage: query { "sql": "SELECT * FROM your_table" }', false],
  ["what is refused", "Statements such as DROP TABLE or DELETE FROM orders are not allowed.", false],
])("a statement in a failure: %s", (_, text, found) => {
  const failed = exchangeOf("valid-call", toolFailure(text), { tool: "query" });
  expect(finds("leak-sql", { exchanges: [failed] })).toBe(found);
});

test.each<[name: string, properties: JsonObject, found: boolean]>([
  ["add", { a: { type: "number" }, b: { type: "number" } }, false],
  ["add", { item: { type: "string" } }, true],
  ["subtract", { a: { type: "number" }, b: { type: "number" } }, false],
  ["add_item", { a: { type: "number" } }, true],
])("%s with %j contradicts readOnlyHint: %s", (name, properties, found) => {
  const tool = { name, annotations: { readOnlyHint: true }, inputSchema: { type: "object", properties } };
  expect(finds("annotations-consistent", { exchanges: [LIST], view: { tools: [tool] } })).toBe(found);
});

test("an error of the protocol is judged like the text of a tool", () => {
  const failed = exchangeOf("valid-call", rpcError(-32000, "Failed: undefined"), { tool: "x" });
  expect(finds("message-says-something", { exchanges: [failed] })).toBe(true);
});
