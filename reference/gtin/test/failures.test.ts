// Every failure of the document, from a real cause, as the official clients and plain HTTP receive it.

import { mcp } from "@recourse/faults/dialects";
import { expectNoLeak } from "@recourse/testing";
import { afterAll, describe, expect, test } from "vitest";
import { FAILURES, type Failure } from "./failures/failures.ts";
import { provokeAll, tableOf } from "./failures/table.ts";
import { OBSERVERS } from "./support/observers.ts";
import { createTestEnvironment, PUBLIC_URL } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
const rows = await provokeAll(environment);

test("are those of the document, each at least once", () => {
  const codes = new Set(FAILURES.map(({ code }) => code));
  expect([...codes].toSorted()).toEqual([-32001, -32002, -32003, -32100, -32101, -32102, -32200, -32201, -32300]);
});

const documentOf = ({ name, status, retryable, also }: Failure) => ({
  type: `${PUBLIC_URL}/docs/errors/${name}`,
  status,
  error_code: name,
  retryable,
  ...also,
});
const byTool = rows.filter(({ failure }) => failure.only !== "REST");
const byRest = rows.filter(({ failure }) => failure.only !== "MCP");

describe.each(byTool)("$failure.code: $failure.cause ($failure.tool)", ({ failure, observed, own }) => {
  const { code, status, reason } = failure;

  test.each(OBSERVERS)("in the result of the tool: %s", (observer) => {
    const { result } = observed[observer]?.message ?? {};
    expect(observed[observer]).toMatchObject({ status: 200 });
    expect(observed[observer]?.threw).toBeUndefined();
    expect(result).toMatchObject({ isError: true, error: { code, data: documentOf(failure) } });
    expect(result?.error?.message).toBe(result?.error?.data["title"]);
    expect(result?.error?.data["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    // The text is for the model: it also says what to do next.
    const detail = String(result?.error?.data["detail"]);
    const text = result?.content?.[0]?.text ?? "";
    expect([text.slice(0, detail.length), text.length > detail.length]).toEqual([detail, true]);
  });

  test.each(OBSERVERS)("whole, in MCP's own dialect: %s", (observer) => {
    const answer = own[observer];
    expect(mcp.decode(answer?.message)).toMatchObject({ reason });
    // Hosts sign in when HTTP says so; everything else is a result that a model can read.
    const isRefused = code === -32001 || code === -32002;
    expect(answer?.status).toBe(isRefused ? status : 200);
  });
});

test.each(byRest)("$failure.status over REST: $failure.cause ($failure.tool)", ({ failure, rest }) => {
  const wait = failure.also?.["retry_after"];
  expect(rest).toMatchObject({ status: failure.status, body: documentOf(failure) });
  expect(rest?.headers.get("content-type")).toBe("application/problem+json");
  expect(rest?.headers.get("retry-after")).toBe(wait === undefined ? null : String(wait));
});

test("show nothing of the database", () => {
  const secrets = [
    environment.proxy.url,
    `:${new URL(environment.proxy.url).port}`,
    "trademark",
    "brand does not exist",
    "ECONNREFUSED",
  ];
  for (const row of rows) expectNoLeak([row.observed, row.own, row.rest?.body], secrets);
});

test("failures of the server were reported to the operator, mistakes of callers were not", () => {
  const reasons = new Set(environment.incidents.map(({ fault }) => fault.reason));
  expect([...reasons].toSorted()).toEqual(["core/internal", "gtin/database_unavailable"]);
});

test("the table can be printed", () => {
  const lines = tableOf(rows).split("\n");
  expect(lines).toHaveLength(FAILURES.length + 2);
  expect(lines.find((line) => line.startsWith("| no such product"))).toBe(
    "| no such product | resolve_gtin | -32200 | -32200 | -32200 | -32200 | 404 not_found | gtin/not_found (isError) |",
  );
});

describe("what is not a failure", () => {
  test("a broken message is a protocol error", async () => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await fetch(`${environment.url}/mcp`, { method: "POST", headers, body: '{"jsonrpc":' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32700 } });
  });

  test("every type of error has its page", async () => {
    for (const { name, reason } of FAILURES) {
      for (const path of [name, reason]) {
        const page = await fetch(`${environment.url}/docs/errors/${path}`);
        expect(page.status, path).toBe(200);
        expect(await page.text()).toContain("What to do");
      }
    }
    expect((await fetch(`${environment.url}/docs/errors/nothing`)).status).toBe(404);
  });
});
