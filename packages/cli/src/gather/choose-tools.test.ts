import { expect, test } from "vitest";
import { CHANGING_WORDS, certainChange, changingWord, readingChoice } from "../words/verbs.ts";
import { chooseTools } from "./choose-tools.ts";

const READ = { readOnlyHint: true };
const schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

test("tools with required arguments come first, six at most, and order is kept", () => {
  const tools = [
    { name: "list_a", annotations: READ, inputSchema: { type: "object" } },
    ...Array.from({ length: 6 }, (_, index) => ({ name: `get_${index}`, annotations: READ, inputSchema: schema })),
  ];
  const { chosen, spared } = chooseTools(tools, {});
  expect(chosen.map(({ name }) => name)).toEqual(["get_0", "get_1", "get_2", "get_3", "get_4", "get_5"]);
  expect(spared).toEqual([{ tool: "list_a", why: "limit", because: "A probe calls at most 6 tools." }]);
});

test("a tool without a usable schema is left alone, also when the user named it", () => {
  const tools = [
    { name: "a", inputSchema: "text" },
    {
      name: "b",
      inputSchema: { type: "object", properties: { x: { type: "string", pattern: "^(?!)$" } }, required: ["x"] },
    },
    { name: "c", inputSchema: schema },
  ];
  const { chosen, spared } = chooseTools(tools, { tools: ["a", "b"] });
  expect(chosen).toEqual([]);
  expect(spared.map(({ because }) => because)).toEqual([
    "Its input schema is not an object.",
    "No arguments were found that its input schema accepts.",
    "You named other tools.",
  ]);
});

test("a choice that means a change is taken only if the user allows it", () => {
  const properties = { action: { enum: ["delete", "create"] } };
  const tools = [{ name: "act", annotations: READ, inputSchema: { type: "object", properties, required: ["action"] } }];
  expect(chooseTools(tools, {}).chosen).toEqual([]);
  expect(chooseTools(tools, { tools: ["act"] }).chosen[0]?.valid).toEqual({ action: "delete" });
  expect(chooseTools(tools, { allowWrites: true }).chosen[0]?.valid).toEqual({ action: "delete" });
});

const flag = { type: "boolean" };
const LOUD: readonly (readonly [
  about: string,
  properties: object,
  required: readonly string[],
  valid: object | undefined,
])[] = [
  ["a flag that has to be on", { delete: { const: true } }, ["delete"], undefined],
  ["a confirmation", { confirm: { type: "boolean", enum: [true] } }, ["confirm"], undefined],
  ["no dry run", { dryRun: { const: false } }, ["dryRun"], undefined],
  ["flags", { purge: flag, dry_run: flag }, ["purge", "dry_run"], { purge: false, dry_run: true }],
  ["a harmless flag", { recursive: { const: true } }, ["recursive"], { recursive: true }],
  ["a default that deletes", { mode: { enum: ["delete", "list"], default: "delete" } }, [], { mode: "list" }],
  ["a default that only deletes", { mode: { enum: ["delete"], default: "delete" } }, [], undefined],
  ["a dry run that is off by default", { dryRun: { type: "boolean", default: false } }, [], { dryRun: true }],
  ["a dry run that may be left out", { dryRun: flag }, [], { dryRun: true }],
  ["a flag that is on by default", { purge: { type: "boolean", default: true } }, [], { purge: false }],
  ["other defaults", { limit: { default: 10 }, sort: { default: "asc" }, all: { default: true } }, [], {}],
  [
    "writes in every branch",
    { op: { oneOf: [{ type: "object", properties: { do: { const: "drop" } }, required: ["do"] }] } },
    ["op"],
    undefined,
  ],
  [
    "writes in a list",
    { ops: { type: "array", items: { enum: ["insert", "drop"] }, minItems: 1 } },
    ["ops"],
    undefined,
  ],
  ["the number of something", { order_id: { type: "integer", minimum: 1 } }, ["order_id"], { order_id: 999_999_999 }],
  ["how many", { limit: { type: "integer", maximum: 50 } }, ["limit"], { limit: 1 }],
];

test.each(LOUD)("arguments that change nothing: %s", (_, properties, required, valid) => {
  const tools = [{ name: "report", annotations: READ, inputSchema: { type: "object", properties, required } }];
  expect(chooseTools(tools, {}).chosen.map((tool) => ({ ...tool.valid }))).toEqual(valid === undefined ? [] : [valid]);
});

test("a tool whose description begins with a change is left alone", () => {
  const tools = ["Deletes all orders.", "Creates a report", "Shows what was deleted"].map((description, at) => ({
    name: `report_${at}`,
    description,
    annotations: READ,
    inputSchema: schema,
  }));
  expect(chooseTools(tools, {}).chosen.map(({ name }) => name)).toEqual(["report_2"]);
});

test("without an annotation a tool is called only by name, and only if its name and description read", () => {
  const make = (name: string, more: object = {}) => ({ name, inputSchema: schema, ...more });
  const tools = [
    make("get_order"),
    make("list_orders", { annotations: { title: "Orders" } }),
    make("search_items", { description: "Deletes old items, then searches." }),
    make("get_status", { annotations: { readOnlyHint: false } }),
    make("find_user", { annotations: { destructiveHint: true } }),
    make("read_file", { inputSchema: "text" }),
    make("verify_email"),
    make("get_and_post_message"),
    make("find_or_create_user"),
    make("report"),
    make("show_order", { annotations: READ }),
  ];
  const strict = chooseTools(tools, {});
  expect(strict.chosen.map(({ name }) => name)).toEqual(["show_order"]);
  expect(strict.spared.filter(({ byName }) => byName === true).map(({ tool }) => tool)).toEqual([
    "get_order",
    "list_orders",
  ]);
  const byName = chooseTools(tools, { byName: true });
  expect(byName.chosen.map(({ name }) => name)).toEqual(["get_order", "list_orders", "show_order"]);
  expect(Object.fromEntries(byName.spared.map(({ tool, why }) => [tool, why]))).toEqual({
    search_items: "writes",
    get_status: "disputed",
    find_user: "disputed",
    read_file: "schema",
    verify_email: "unannotated",
    get_and_post_message: "writes",
    find_or_create_user: "writes",
    report: "unannotated",
  });
});

const numbers = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])),
  required: names,
});

test.each([
  ["add", numbers("a", "b"), true],
  ["add_two_numbers", numbers("first", "second"), true],
  ["multiply", numbers("x", "y"), true],
  ["sum", { type: "object", properties: { numbers: { type: "array", items: { type: "number" } } } }, true],
  ["add", numbers("product_id", "quantity"), false],
  ["add", numbers("amount"), false],
  ["add", { type: "object", properties: { a: { type: "string" } } }, false],
  ["add", { type: "object" }, false],
  ["add_item", numbers("a", "b"), false],
])("%s with these arguments only calculates: %j %s", (name, inputSchema, calculates) => {
  const tool = { name, description: "Adds.", annotations: READ, inputSchema };
  expect(chooseTools([tool], {}).chosen.length).toBe(calculates ? 1 : 0);
  expect(chooseTools([{ ...tool, annotations: {} }], { byName: true }).chosen.length).toBe(calculates ? 1 : 0);
  expect(certainChange(tool)).toBe(calculates ? undefined : "add");
});

test("each word stands in one row of the list", () => {
  const words = Object.values(CHANGING_WORDS).flatMap((set) => [...set]);
  expect(words.length).toBe(new Set(words).size);
});

test.each(["set_flag", "deleteItem", "write-file", "post_message", "add_item", "shop_delete"])(
  "the first word of %s certainly means a change",
  (name) => {
    expect(certainChange({ name })).toBe(name === "shop_delete" ? undefined : changingWord(name));
  },
);

test.each([
  "settings",
  "get_x",
  "order_list",
  "constructor",
  "run_query",
  "execute_sql",
  "list_deploy",
  "convert_units",
])("the first word of %s does not", (name) => {
  expect(certainChange({ name })).toBeUndefined();
});

test.each([
  ["set_flag", "set"],
  ["deleteItem", "delete"],
  ["DELETEItem", "delete"],
  ["user.remove-all", "remove"],
  ["deleteall", "deleteall"],
  ["runSQL", "run"],
  ["order_pizza", "order"],
  ["git_commit", "commit"],
  ["connect", "connect"],
  ["export_data", "export"],
  ["get_and_update", "update"],
  ["prune_images", "prune"],
  ["cleanup", "cleanup"],
  ["shell", "shell"],
  ["eval", "eval"],
  ["l\u00f6schen", "l\u00f6schen"],
  ["d\u0435lete_all", "d\u0435lete_all"],
])("%s means a change", (name, word) => {
  expect(changingWord(name)).toBe(word);
});

test.each([
  "get_order",
  "list_open_issues",
  "settings",
  "get_settings",
  "searchNodes",
  "read_file",
  "git_show_commit",
  "echo",
  "resolve-library-id",
  "get_retry_policy",
  "list_comments",
])("%s only reads", (name) => {
  expect(changingWord(name)).toBeUndefined();
});

test("the choice that most surely reads is taken, else a neutral one, else none", () => {
  expect(readingChoice(["set", "get", "list"])).toEqual({ value: "list" });
  expect(readingChoice(["delete", "list_and_delete", "get_user"])).toEqual({ value: "get_user" });
  expect(readingChoice(["create", "asc", "desc"])).toEqual({ value: "asc" });
  expect(readingChoice([1, 2])).toEqual({ value: 1 });
  expect(readingChoice(["create", "delete"])).toBeUndefined();
  expect(readingChoice([])).toBeUndefined();
});
