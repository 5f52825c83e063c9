import { expect, test } from "vitest";
import { matchOperation } from "./match.ts";

test.each([
  ["GET", "/v1/clients", "listClients", {}],
  ["HEAD", "/v1/clients", "listClients", {}],
  ["POST", "/v1/clients", "createClient", {}],
  ["GET", "/v1/clients/7", "getClient", { id: "7" }],
  ["GET", "/v1/clients/a%2Fb", "getClient", { id: "a/b" }],
  ["GET", "/v1/clients/%E0%A4", "getClient", { id: "%E0%A4" }],
  ["POST", "/v1/campaigns/7/launch", "launchCampaign", { id: "7" }],
])("%s %s", (method, path, id, values) => {
  expect(matchOperation(method, path)).toMatchObject({ operation: { id }, values });
});

test.each([
  ["GET", "/v1/nothing", { none: "path" }],
  ["GET", "/clients", { none: "path" }],
  ["GET", "/v1/clients/7/8", { none: "path" }],
  ["PUT", "/v1/clients", { none: "method", allowed: ["GET", "POST"] }],
])("%s %s is not served", (method, path, expected) => {
  expect(matchOperation(method, path)).toEqual(expected);
});
