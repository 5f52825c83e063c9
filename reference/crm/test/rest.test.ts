// The answers of the REST API to requests that no tool makes.
import { afterAll, expect, test } from "vitest";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
const headers = { authorization: `Bearer ${KEYS.north}` };
const send = (path: string, init: RequestInit = {}) => fetch(`${environment.rest}${path}`, { headers, ...init });

test.each([
  ["an address that does not exist", "/v1/nothing", {}, 404],
  ["a method that is not served", "/v1/clients", { method: "PUT", body: "{}" }, 405],
  ["a body that is no JSON", "/v1/clients", { method: "POST", body: "{" }, 400],
  ["a body that is no object", "/v1/clients", { method: "POST", body: "[]" }, 400],
  ["a body that is too large", "/v1/clients", { method: "POST", body: " ".repeat(70_000) }, 400],
  ["no body at all", "/v1/clients", { method: "POST" }, 400],
  ["an input in the wrong place", "/v1/webhooks?event=client.created", { method: "POST", body: "{}" }, 400],
])("%s", async (_, path, init, status) => {
  const answer = await send(path, init);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code: status, error: expect.any(String) as string });
  expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, POST" : null);
});

test("HEAD has the headers of GET and no body", async () => {
  const answer = await send("/v1/clients", { method: "HEAD" });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("simultaneous launches launch a campaign once", async () => {
  const launches = [1, 2, 3, 4, 5].map(() => send("/v1/campaigns/1/launch", { method: "POST" }));
  const statuses = (await Promise.all(launches)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 422, 422, 422, 422]);
});

test("the document needs no key", async () => {
  const answer = await send("/openapi.json", { headers: {} });
  expect(await answer.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/v1" }] });
});

test("the MCP server serves one address", async () => {
  expect((await fetch(`${environment.mcp}/elsewhere`, { method: "POST" })).status).toBe(404);
});
