import { describe, expect, test } from "vitest";
import { answering, DOCUMENT, open, startCrm } from "../test/crm.ts";
import { json, startUpstream } from "../test/upstream.ts";
import { openapi } from "./openapi.ts";

describe("the document", () => {
  test("that cannot be used rejects with the reason", async () => {
    await expect(openapi({ swagger: "2.0" })).rejects.toMatchObject({ name: "DocumentError", code: "swagger_2" });
    await expect(openapi(DOCUMENT)).rejects.toThrow("names no server");
    await expect(openapi(DOCUMENT, { server: "https://u:p@api.example" })).rejects.toThrow("a name or a password");
  });

  test("from the network follows the same rules, and does not decide where credentials go", async () => {
    const upstream = await startUpstream((hit, response) =>
      json(response, 200, { ...DOCUMENT, servers: [{ url: hit.target === "/own" ? "/v1" : "https://evil.example" }] }),
    );
    open.push(upstream);
    const network = { allowPrivate: true };
    await expect(openapi(`${upstream.url}/own`)).rejects.toMatchObject({ code: "unreadable" });
    const tight = { ...network, maxResponseBytes: 20 };
    await expect(openapi(`${upstream.url}/own`, { network: tight })).rejects.toMatchObject({
      code: "over_limit",
      message: expect.stringContaining("network.maxResponseBytes"),
    });
    await expect(openapi(`${upstream.url}/evil`, { network })).rejects.toThrow("of another origin");
    open.unshift(await openapi(`${upstream.url}/own`, { network }));
    expect(upstream.hits).toHaveLength(3);
  });
});

test("a closed bridge sends no requests", async () => {
  const { crm, upstream } = await startCrm(answering(200, {}));
  await crm.close();
  expect(await crm.call("getClient", { id: 1 })).toMatchObject({
    fault: { reason: "core/unavailable", effect: "none" },
  });
  expect(upstream.hits).toHaveLength(0);
});
