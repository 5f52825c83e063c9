// Behaviour of the REST API only.
import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { observe, observeRest } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
const CLAIM = "/v1/gtin/09520123456788/claim";

async function claim(path: string, subject: string, scopes = ["gtin:claim"]): Promise<[number, unknown]> {
  const authorization = `Bearer ${await environment.token(scopes, { subject })}`;
  const answer = await fetch(`${environment.url}${path}`, { method: "PUT", headers: { authorization } });
  return [answer.status, ((await answer.json()) as Record<string, unknown>)["detail"]];
}

test("a product is claimed once; by the same owner as often as they like", async () => {
  const first = await Promise.all(["brand-owner", "retailer"].map((subject) => claim(CLAIM, subject)));
  expect(first.map(([status]) => status).toSorted()).toEqual([200, 409]);
  const [owner, other] = first[0]?.[0] === 200 ? ["brand-owner", "retailer"] : ["retailer", "brand-owner"];
  expect(await claim(CLAIM, owner)).toEqual([200, undefined]);
  expect(await claim(CLAIM, other)).toEqual([409, "GTIN 09520123456788 is already claimed by somebody else."]);
});

test("a claim needs an existing product and the scope", async () => {
  expect((await claim("/v1/gtin/00614141123452/claim", "demo"))[0]).toBe(404);
  expect((await claim(CLAIM, "demo", ["qr:generate"]))[0]).toBe(403);
});

test("a method that an address does not serve", async () => {
  const answer = await fetch(`${environment.url}${CLAIM}`);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "PUT"]);
  expect(await answer.json()).toMatchObject({ status: 405, error_code: "bad_request" });
});

test("a token that cannot be checked because of a bug is a failure of the server, over MCP and REST", async () => {
  const token = await environment.token(["qr:generate"]);
  const toolCall = { tool: "generate_qr_url", args: { gtin: "09520123456788" }, token };
  await environment.database.query("alter table client rename column subject to name_of_subject");
  try {
    const [observed, rest] = [
      await observe("plain HTTP", environment.url, toolCall),
      await observeRest(environment.url, toolCall),
    ];
    expect(rest).toMatchObject({ status: 500, body: { error_code: "internal_error" } });
    expect(observed.message.result?.error).toMatchObject({ code: -32300, data: { detail: rest.body["detail"] } });
  } finally {
    await environment.database.query("alter table client rename column name_of_subject to subject");
  }
});

test("methods that a web request cannot have are refused", async () => {
  const status = await new Promise((resolve, reject) => {
    request(`${environment.url}/mcp`, { method: "TRACE" }, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(405);
});

test.each(["/", "/v1", "/v2/ping", "/docs", "/constructor"])("%s is not served", async (path) => {
  const answer = await fetch(`${environment.url}${path}`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error_code: "not_found" });
});
