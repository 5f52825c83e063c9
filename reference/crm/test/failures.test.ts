// Every failure of the document, from a real cause, as the official clients and plain HTTP receive it.
import { readFile } from "node:fs/promises";
import { platica } from "@recourse/dialects/platica";
import { expectNoLeak } from "@recourse/testing";
import { afterAll, describe, expect, test } from "vitest";
import { FAILURES } from "./failures/failures.ts";
import { codeOf, provokeAll, provokeMethods, tableOf } from "./failures/table.ts";
import { OBSERVERS, observe } from "./support/observers.ts";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";

/** One id for all requests, so that answers can be compared. */
const REQUEST_ID = "6f1c2f6e-5a0a-4a7e-9d5e-2f1a3b4c5d6e";
const environment = await createTestEnvironment(() => REQUEST_ID);
afterAll(() => environment.close());
const rows = await provokeAll(environment);
const unserved = await provokeMethods(environment, rows);

test("are those of the document, each at least once", () => {
  const codes = new Set([...FAILURES.map(({ code }) => String(code)), "-32000"]);
  const statuses = ["400", "401", "403", "404", "422", "429", "500", "503"];
  expect([...codes].toSorted()).toEqual(["-32000", "-32001", "-32602", "-32603", ...statuses, "issues"]);
});

const inResult = rows.filter(({ failure: { code } }) => code === "issues" || code > 0);
const inError = rows.filter(({ failure: { code } }) => code !== "issues" && code < 0);

describe.each(inResult)("$failure.code: $failure.cause ($failure.tool)", ({ failure, observed, rest }) => {
  const { code, reason, error } = failure;

  test.each(OBSERVERS)("in the result of the tool: %s", (observer) => {
    const { status, message, threw } = observed[observer];
    expect({ status, threw, code: codeOf(message) }).toEqual({ status: 200, threw: undefined, code });
    expect(message.result?.isError).toBe(true);
    // A client that knows only Platica's document reads the body; the fault beside it means the same.
    const { _meta, ...ofDocument } = message.result ?? {};
    const read = platica.decode({ result: ofDocument });
    expect(read).toMatchObject({ reason });
    expect(platica.decode(message)).toMatchObject({ kind: read?.kind });
    if (error !== undefined) expect(message.result?.structuredContent?.["error"]).toBe(error);
    // The body of the API is relayed unchanged, and parsed beside it.
    if (rest === undefined || code === "issues") return;
    expect(message.result?.content).toEqual([{ type: "text", text: rest.text }]);
    expect(message.result?.structuredContent).toEqual(rest.body);
  });
});

describe.each(inError)("$failure.code: $failure.cause", ({ failure: { code, reason }, observed }) => {
  test.each(OBSERVERS)("as an error of JSON-RPC: %s", (observer) => {
    const { status, message, threw } = observed[observer];
    expect(message).toMatchObject({ error: { code } });
    // Only what the operator has a record of names one.
    expect(message.error?.data).toEqual(
      code === -32603 ? { effect: "none", incident: expect.any(String) as string } : undefined,
    );
    expect(platica.decode(message)).toMatchObject({ reason });
    expect(status).toBe(code === -32001 ? 401 : 200);
    expect(threw === undefined).toBe(observer === "plain HTTP");
  });
});

test.each(rows.filter(({ rest }) => rest !== undefined))("$failure.cause, over REST", ({ failure, rest }) => {
  const { code, wait } = failure;
  expect(rest?.status).toBe(failure.rest ?? code);
  expect(rest?.headers.get("retry-after")).toBe(wait === undefined ? null : String(wait));
  if (rest?.status !== 200) expect(rest?.body["code"]).toBe(rest?.status);
  if (wait !== undefined) expect(rest?.body["details"]).toBe(`Send the same request again after ${wait} s.`);
});

describe("a request that is not POST", () => {
  test.each(unserved)("$method is -32000", ({ method, observed }) => {
    const expected = { status: 405, message: { error: { code: -32000, message: "This address accepts only POST." } } };
    for (const one of Object.values(observed)) expect(one).toMatchObject(expected);
    // Clients of the older revisions ask for a stream by themselves; those of the newest do not.
    expect(Object.keys(observed)).toEqual(method === "GET" ? ["v1", "v2 legacy", "plain HTTP"] : ["plain HTTP"]);
  });
});

test("a message that is not JSON is -32602", async () => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${KEYS.north}` };
  const answer = await fetch(`${environment.mcp}/mcp`, { method: "POST", headers, body: '{"jsonrpc":' });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
});

test("arguments that the schema refuses are lines for the model and issues for programs", () => {
  const row = rows.find(({ failure }) => failure.code === "issues");
  const { content, structuredContent } = row?.observed.v1.message.result ?? {};
  expect(content?.[0]?.text.split("\n")).toEqual([
    "name: Wrong length: expected 1 to 100 characters.",
    "email: Required: expected an email address.",
    "stage: Invalid option: expected one of lead, customer, former.",
  ]);
  const paths = (list: unknown) => (list as readonly { readonly path: unknown }[] | undefined)?.map(({ path }) => path);
  expect(paths(structuredContent?.["issues"])).toEqual([["name"], ["email"], ["stage"]]);
  // The API itself finds fault with the same fields.
  expect(paths(row?.rest?.body["errors"])).toEqual([["name"], ["email"], ["stage"]]);
});

test("show nothing of the servers behind", () => {
  const { proxy, folder, rest } = environment;
  const secrets = [proxy.url, `:${new URL(proxy.url).port}`, rest, folder, "phase", "ECONN", "ENOENT"];
  const keys = Object.values(KEYS);
  for (const { observed, rest: answer } of rows) expectNoLeak([observed, answer?.text], [...secrets, ...keys]);
});

test("failures of the servers were reported to the operator, mistakes of callers were not", () => {
  const reasons = new Set(environment.incidents.map(({ fault }) => fault.reason));
  expect([...reasons].toSorted()).toEqual([
    "adapter/unavailable",
    "core/internal",
    "core/unavailable",
    "crm/database_unavailable",
    "crm/failed",
    "rest/upstream_failed",
  ]);
});

test("a call that was made is in the journal", async () => {
  const before = await readFile(environment.journal, "utf8").catch(() => "");
  await observe("plain HTTP", environment.mcp, { tool: "listAgents", authorization: `Bearer ${KEYS.north}` });
  const added = (await readFile(environment.journal, "utf8")).slice(before.length);
  expect(JSON.parse(added)).toMatchObject({ tool: "listAgents", at: expect.any(String) as string });
});

test("the table can be printed", () => {
  const lines = tableOf(rows, unserved).split("\n");
  expect(lines).toHaveLength(FAILURES.length + 4);
  expect(lines.find((line) => line.startsWith("| no such client"))).toBe(
    "| no such client | getClient | 404 (isError) | 404 (isError) | 404 (isError) | 404 (isError) | 404 |",
  );
});
