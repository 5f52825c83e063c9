import { closeAfterTest, openUpstream } from "@recourse/test-kit/fixtures";
import { answerJson } from "@recourse/test-kit/loopback";
import { describe, expect, test, vi } from "vitest";
import { answering, DOCUMENT, KEY, startCrm } from "../test/crm.ts";
import { allowedServer, chooseServer, type ServerChoice } from "./api/tools.ts";
import { bearer } from "./credentials/simple-credentials.ts";
import { openapi } from "./openapi.ts";

describe("the document", () => {
  test("that cannot be used rejects with the reason", async () => {
    await expect(openapi({ swagger: "2.0" })).rejects.toMatchObject({ name: "DocumentError", code: "swagger_2" });
    await expect(openapi(DOCUMENT)).rejects.toThrow("names no server");
    await expect(openapi(DOCUMENT, { server: "https://u:p@api.example" })).rejects.toThrow("a name or a password");
  });

  test("from the network follows the same rules, and does not decide where credentials go", async () => {
    const upstream = await openUpstream((hit, response) =>
      answerJson(response, 200, {
        ...DOCUMENT,
        servers: [{ url: hit.target === "/own" ? "/v1" : "https://evil.example" }],
      }),
    );
    const network = { allowPrivate: true };
    await expect(openapi(`${upstream.url}/own`)).rejects.toMatchObject({ code: "unreadable" });
    const tight = { ...network, maxResponseBytes: 20 };
    await expect(openapi(`${upstream.url}/own`, { network: tight })).rejects.toMatchObject({
      code: "over_limit",
      message: expect.stringContaining("network.maxResponseBytes"),
    });
    await expect(openapi(`${upstream.url}/evil`, { network })).rejects.toThrow("of another origin");
    closeAfterTest(await openapi(`${upstream.url}/own`, { network }));
    expect(upstream.hits).toHaveLength(3);
  });
});

test("what only an operator can correct is written to standard error where there is no sink", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { upstream } = await startCrm(answering(401, {}));
  const options = { server: upstream.url, credential: bearer(KEY), network: { allowPrivate: true } };
  const crm = closeAfterTest(await openapi(DOCUMENT, options));
  await crm.call("getClient", { id: 1 });
  const lines = write.mock.calls.join("\n");
  write.mockRestore();
  expect(lines).toContain("reason=rest/upstream_auth");
  expect(lines).not.toContain(KEY);
});

test("a closed bridge sends no requests", async () => {
  const { crm, upstream } = await startCrm(answering(200, {}));
  await crm.close();
  expect(await crm.call("getClient", { id: 1 })).toMatchObject({
    fault: { reason: "core/unavailable", effect: "none" },
  });
  expect(upstream.hits).toHaveLength(0);
});

const NOTHING: ServerChoice = { server: undefined, allowed: [], declared: [], fetchedFrom: undefined };
const chosen = (choice: Partial<ServerChoice>) => chooseServer({ ...NOTHING, ...choice }).href;

describe("the base address", () => {
  test("is the operator's server, else the first of the document", () => {
    const declared = ["https://api.example/v1"];
    expect(chosen({ server: "https://own.example", declared })).toBe("https://own.example/");
    expect(chosen({ server: new URL("https://own.example/a"), declared })).toBe("https://own.example/a");
    expect(chosen({ declared })).toBe("https://api.example/v1");
  });

  test("of a document that was fetched stays at its origin, or is allowed", () => {
    const fetchedFrom = new URL("https://docs.example/openapi.json");
    expect(chosen({ declared: ["/v1"], fetchedFrom })).toBe("https://docs.example/v1");
    const declared = ["https://api.example/v1"];
    expect(() => chosen({ declared, fetchedFrom })).toThrow("of another origin");
    expect(chosen({ declared, fetchedFrom, allowed: ["https://api.example"] })).toBe("https://api.example/v1");
    expect(chosen({ declared, fetchedFrom, allowed: ["https://api.example/v1/"] })).toBe("https://api.example/v1");
    expect(() => chosen({ declared, fetchedFrom, allowed: ["https://api.example/v2"] })).toThrow("of another origin");
  });

  test.each([
    ["/v1", "not absolute"],
    ["nonsense", "not absolute"],
    ["ftp://a.example", "not HTTP"],
    ["https://u:p@a.example", "a password"],
    ["https://a.example/?k=1", "a query"],
    ["https://a.example/#k", "a query"],
  ])("is not %s: %s", (server, problem) => {
    expect(() => chosen({ server })).toThrow(problem);
  });

  test("has to be given or declared", () => {
    expect(() => chosen({})).toThrow("names no server");
  });
});

test("the server of an operation has to be allowed", () => {
  expect(allowedServer("https://files.example/v1", ["https://files.example"])?.href).toBe("https://files.example/v1");
  expect(allowedServer("https://files.example/v1", [])).toBeUndefined();
  expect(allowedServer("file:///etc", ["file:///etc"])).toBeUndefined();
});
