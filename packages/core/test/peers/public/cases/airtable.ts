import { BASE, FIGURES, ORDERS } from "../airtable/service.ts";
import { call, type FailureCase, invalidArguments, SAID, type Success, sentByCaller, unknownTool } from "../case.ts";
import { API_KEY, PASSWORD, REGISTERED_SECRET, TOKEN } from "../secrets.ts";

const orders = { baseId: BASE, tableId: ORDERS };
const record = { ...orders, recordId: "recV4fG7jS0mXe2Qb" };
const list = (tableId: string, more: Readonly<Record<string, unknown>> = {}) =>
  call("list_records", { baseId: BASE, tableId, ...more });
const describe = (tableId: string, baseId = BASE) => call("describe_table", { tableId, baseId });
const search = (more: Readonly<Record<string, unknown>>) =>
  call("search_records", { ...orders, searchTerm: "x", ...more });

const service = { by: "service", says: "Airtable API Error:", reason: SAID } as const;
const unreadable = { by: "runtime", reason: SAID } as const;

export const AIRTABLE_FAILURES: readonly FailureCase[] = [
  {
    name: "no such table",
    ask: describe("tblM1ss1ngQ4xZ8vB"),
    by: "author",
    says: `Table tblM1ss1ngQ4xZ8vB not found in base ${BASE}`,
    reason: SAID,
  },
  {
    name: "no such table, by name",
    ask: describe("Order items"),
    by: "author",
    says: "Table Order items not found",
    reason: SAID,
  },
  {
    name: "search in a missing table",
    ask: search({ tableId: "Customers" }),
    by: "author",
    says: "Table Customers not found",
    reason: SAID,
  },
  {
    name: "nothing to search in",
    ask: search({ tableId: FIGURES }),
    by: "author",
    says: "No text fields available to search",
    reason: SAID,
  },
  {
    name: "search in a wrong field",
    ask: search({ fieldIds: ["fldH6cR1nY9kDu4Jp"] }),
    by: "author",
    says: "Invalid fields requested: fldH6cR1nY9kDu4Jp",
    reason: SAID,
  },
  {
    name: "search in two wrong fields",
    ask: search({ fieldIds: ["Total", "Due date"] }),
    by: "author",
    says: "Invalid fields requested: Total, Due date",
    reason: SAID,
  },
  { name: "wrong type", ask: list(ORDERS, { maxRecords: "ten" }), ...invalidArguments },
  { name: "missing argument", ask: call("get_record", orders), ...invalidArguments },
  { name: "wrong choice", ask: call("describe_table", { ...orders, detailLevel: "all" }), ...invalidArguments },
  { name: "wrong type inside", ask: list(ORDERS, { sort: [{ field: "Name", direction: "up" }] }), ...invalidArguments },
  { name: "unknown tool", ask: call("list_record"), ...unknownTool },
  // What the REST service refuses, with the authors' advice.
  {
    name: "status 401",
    ask: list("Signed"),
    ...service,
    adds: [
      "Verify that the token hasn't expired or been revoked.",
      "You can view and create Personal Access Tokens at https://airtable.com/create/tokens.",
    ],
  },
  {
    name: "status 403",
    ask: list("Locked"),
    ...service,
    adds: [
      "Check that you have given the token the `schema.bases:read` scope at https://airtable.com/create/tokens.",
      "If you're trying to access a specific base, ensure your token has permission to access that particular base.",
    ],
  },
  { name: "status 404", ask: list("Missing"), ...service },
  {
    name: "status 404: a record",
    ask: call("get_record", { baseId: BASE, tableId: "Gone", recordId: "recN0tHere1234567" }),
    ...service,
  },
  {
    name: "status 422: an unknown field",
    ask: call("create_record", { baseId: BASE, tableId: "Columns", fields: { Pirce: 1 } }),
    ...service,
  },
  { name: "status 422: a wrong formula", ask: list("Formulas", { filterByFormula: "{pirce} > 1" }), ...service },
  {
    name: "status 422: a wrong value",
    ask: call("create_record", { baseId: BASE, tableId: "Values", fields: { Price: "x" } }),
    ...service,
  },
  { name: "status 422: an unknown view", ask: list("Views", { view: "viwOld" }), ...service },
  {
    name: "status 413",
    ask: call("create_record", { baseId: BASE, tableId: "Large", fields: { Note: "x" } }),
    ...service,
  },
  { name: "status 429", ask: list("Busy"), ...service },
  { name: "status 500", ask: list("Broken"), ...service },
  { name: "status 502: a page of a proxy", ask: list("Gateway"), ...service },
  { name: "status 503", ask: list("Closed"), ...service },
  { name: "a page instead of records", ask: list("Page"), ...unreadable },
  {
    name: "records of another form",
    ask: list("Shape"),
    by: "runtime",
    says: "Failed to parse API response:",
    reason: SAID,
  },
  {
    name: "connection lost",
    ask: list("Dropped"),
    by: "runtime",
    says: "fetch failed",
    reason: "core/unavailable",
  },
  // Secrets.
  { name: "key in the page of a proxy", ask: list("Headers"), secret: API_KEY, ...service },
  { name: "password in a 500", ask: list("Database"), secret: PASSWORD, ...service },
  { name: "password instead of records", ask: list("Settings"), secret: PASSWORD, ...unreadable },
  { name: "token in a 422", ask: list("Fields"), secret: TOKEN, ...service },
  { name: "registered secret in a 422", ask: list("Choices"), secret: REGISTERED_SECRET, ...service },
  { name: "token as a table", ask: describe(TOKEN), ...sentByCaller, secret: TOKEN, reason: SAID },
  {
    name: "registered secret as a field",
    ask: search({ fieldIds: [REGISTERED_SECRET] }),
    ...sentByCaller,
    secret: REGISTERED_SECRET,
    reason: SAID,
  },
];

/** At least one success of every tool. */
export const AIRTABLE_SUCCESSES: readonly Success[] = [
  ["list_bases"],
  ["list_tables", { baseId: BASE }],
  ["describe_table", { ...orders, detailLevel: "identifiersOnly" }],
  ["list_records", orders],
  ["search_records", { ...orders, searchTerm: "Ann" }],
  ["get_record", record],
  ["create_record", { ...orders, fields: { Name: "Ann" } }],
  ["update_records", { ...orders, records: [{ id: record.recordId, fields: { Name: "Bob" } }] }],
  ["delete_records", { ...orders, recordIds: [record.recordId] }],
  ["create_table", { baseId: BASE, name: "Orders", fields: [{ name: "Name", type: "singleLineText" }] }],
  ["update_table", { ...orders, name: "Orders" }],
  ["create_field", { ...orders, nested: { field: { name: "Name", type: "singleLineText" } } }],
  ["update_field", { ...orders, fieldId: "fldB2xM8qL5vZt3Ws", name: "Name" }],
  ["create_comment", { ...record, text: "Fine." }],
  ["list_comments", record],
  [
    "upload_attachment",
    {
      baseId: BASE,
      recordId: record.recordId,
      attachmentFieldIdOrName: "Images",
      file: "eA==",
      filename: "x.txt",
      contentType: "text/plain",
    },
  ],
];
