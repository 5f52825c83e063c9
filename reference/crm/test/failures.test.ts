// Every failure of the system's document, from a real cause, as the official clients and plain HTTP see it.
import { readFile } from "node:fs/promises";
import { platica } from "@recourse/faults/dialects";
import { expectNoLeak } from "@recourse/faults/testing";
import { afterAll, describe, expect, test } from "vitest";
import { FAILURES } from "./failures/failures.ts";
import { codeOf, provokeAll, provokeMethods, tableOf } from "./failures/table.ts";
import { OBSERVERS, observe } from "./support/observers.ts";
import { createWorld, KEYS } from "./support/world.ts";

const world = await createWorld();
afterAll(() => world.close());
const rows = await provokeAll(world);
const unserved = await provokeMethods(world, rows);

test("are those of the document, each at least once", () => {
  const codes = new Set([...FAILURES.map(({ code }) => String(code)), "-32000"]);
  const statuses = ["400", "401", "403", "404", "422", "429", "500", "503"];
  expect([...codes].toSorted()).toEqual(["-32000", "-32001", "-32602", "-32603", ...statuses, "issues"]);
});

const inResult = rows.filter(({ failure: { code } }) => code === "issues" || code > 0);
const inError = rows.filter(({ failure: { code } }) => code !== "issues" && code < 0);

describe.each(inResult)("$failure.code: $failure.cause ($failure.tool)", ({ failure, seen, rest }) => {
  const { code, reason, error } = failure;

  test.each(OBSERVERS)("in the result of the tool: %s", (observer) => {
    const { status, message, threw } = seen[observer];
    expect({ status, threw, code: codeOf(message) }).toEqual({ status: 200, threw: undefined, code });
    expect(message.result?.isError).toBe(true);
    expect(platica.decode(message)).toMatchObject({ reason });
    if (error !== undefined) expect(message.result?.structuredContent?.["error"]).toBe(error);
    // What the API said is handed on to the byte, and parsed beside it.
    if (rest === undefined || code === "issues") return;
    expect(message.result?.content).toEqual([{ type: "text", text: rest.text }]);
    expect(message.result?.structuredContent).toEqual(rest.body);
  });
});

describe.each(inError)("$failure.code: $failure.cause", ({ failure: { code, reason }, seen }) => {
  test.each(OBSERVERS)("as an error of JSON-RPC: %s", (observer) => {
    const { status, message, threw } = seen[observer];
    expect(message).toMatchObject({ error: { code } });
    expect(message.error?.data).toBeUndefined();
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

describe("a request that is no POST", () => {
  test.each(unserved)("$method is -32000", ({ method, seen }) => {
    const expected = { status: 405, message: { error: { code: -32000, message: "This address accepts only POST." } } };
    for (const one of Object.values(seen)) expect(one).toMatchObject(expected);
    // Clients of the older revisions ask for a stream by themselves; those of the newest do not.
    expect(Object.keys(seen)).toEqual(method === "GET" ? ["v1", "v2 legacy", "plain HTTP"] : ["plain HTTP"]);
  });
});

test("a message that is no JSON is -32602", async () => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${KEYS.north}` };
  const answer = await fetch(`${world.mcp}/mcp`, { method: "POST", headers, body: '{"jsonrpc":' });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
});

test("arguments that the schema refuses are lines for the model and issues for programs", () => {
  const row = rows.find(({ failure }) => failure.code === "issues");
  const { content, structuredContent } = row?.seen.v1.message.result ?? {};
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

test("tell nothing of what is behind the servers", () => {
  const { cable, folder, rest } = world;
  const secrets = [cable.url, `:${new URL(cable.url).port}`, rest, folder, "phase", "ECONN", "ENOENT"];
  const keys = Object.values(KEYS);
  for (const { seen, rest: answer } of rows) expectNoLeak([seen, answer?.text], [...secrets, ...keys]);
});

test("the failures of the servers themselves were told to their operator, those of the callers were not", () => {
  const reasons = new Set(world.incidents.map(({ fault }) => fault.reason));
  expect([...reasons].toSorted()).toEqual([
    "adapter/unavailable",
    "core/internal",
    "core/rate_limited",
    "core/unavailable",
    "crm/database_unavailable",
    "crm/failed",
    "rest/upstream_failed",
    "rest/wrong_state",
  ]);
});

test("a call that was made is in the journal", async () => {
  const before = await readFile(world.journal, "utf8").catch(() => "");
  await observe("plain HTTP", world.mcp, { tool: "listAgents", authorization: `Bearer ${KEYS.north}` });
  const added = (await readFile(world.journal, "utf8")).slice(before.length);
  expect(JSON.parse(added)).toMatchObject({ tool: "listAgents", at: expect.any(String) as string });
});

test("the table can be printed", () => {
  const lines = tableOf(rows, unserved).split("\n");
  expect(lines).toHaveLength(FAILURES.length + 4);
  expect(lines.find((line) => line.startsWith("| no such client"))).toBe(
    "| no such client | getClient | 404 (isError) | 404 (isError) | 404 (isError) | 404 (isError) | 404 |",
  );
});
