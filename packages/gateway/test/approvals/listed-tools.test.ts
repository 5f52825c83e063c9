// What a caller is listed of tools that a person or a policy decides about, with the official clients.
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createSdkClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CALLERS, type RunningGateway, startQaqnuzGateway } from "../qaqnuz/running-gateway.ts";

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startQaqnuzGateway({
    approvals: {
      tools: ["shop__refund", "shop__scoped", "shop__hidden"],
      denied: ["shop__wipe"],
      expiresMs: 900_000,
      link: undefined,
    },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function listed(version: Era, key: string) {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const client = createSdkClient(version);
  const url = gateway.url;
  await client.connect((version === "v1" ? new TransportV1(url, options) : new TransportV2(url, options)) as never);
  try {
    return new Map((await client.listTools()).tools.map(({ name, _meta }) => [name, _meta]));
  } finally {
    await client.close();
  }
}

it.each(ERAS)("%s: the tools that need an approval are marked", async (version) => {
  const tools = await listed(version, CALLERS.full);
  expect(tools.get("shop__refund")).toEqual({ "recourse/approval": "required" });
  expect(tools.get("shop__limited")?.["recourse/approval"]).toBeUndefined();
});

it.each(ERAS)("%s: what nobody may call, and what the caller does not reach, is not listed", async (version) => {
  const tools = await listed(version, CALLERS.full);
  for (const name of ["shop__wipe", "shop__scoped", "shop__entitled", "shop__hidden"]) {
    expect(tools.has(name)).toBe(false);
  }
  expect([...(await listed(version, CALLERS.narrow)).keys()]).toEqual([]);
});
