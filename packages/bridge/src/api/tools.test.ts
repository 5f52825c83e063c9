import { describe, expect, test } from "vitest";
import { answering, KEY, startCrm } from "../../test/crm.ts";
import { bearer } from "../credentials/simple-credentials.ts";

describe("the tools", () => {
  test("are those of the document, with what an author changed", async () => {
    const { crm } = await startCrm(answering(200, {}), { prefix: "crm_", include: ({ id }) => id !== "search" });
    expect(crm.tools.map(({ name }) => name)).toEqual([
      "crm_listClients",
      "crm_createClient",
      "crm_getClient",
      "crm_deleteClient",
      "crm_getFile",
    ]);
    expect(crm.report.skipped).toMatchObject([{ operation: "GET /elsewhere", code: "server" }]);
    expect(crm.tools[2]?.declares).toEqual({ "recourse/declares": ["rest/not_found"] });
    crm
      .operation("deleteClient", { hidden: true })
      .operation("GET /clients/{id}", { name: "client", description: "Reads." });
    expect(crm.tools.map(({ name }) => name)).toEqual(["crm_listClients", "crm_createClient", "client", "crm_getFile"]);
    expect(await crm.call("crm_deleteClient", { id: 1 })).toMatchObject({ fault: { reason: "tool/not_found" } });
    expect(() => crm.operation("nobody", {})).toThrow("there is no operation");
    expect(() => crm.operation("getFile", { name: "client" })).toThrow("two tools");
    expect(() => crm.operation("getFile", { name: "a b" })).toThrow("letters");
    expect(() => crm.operation("createClient", { idempotencyHeader: "a:b" })).toThrow("header");
    expect(() => crm.operation("createClient", { deadlineMs: 0 })).toThrow("deadlineMs must be");
  });

  test("without a suitable credential are reported, and not called", async () => {
    const [credential, servers] = [{ other: bearer(KEY) }, ["https://elsewhere.example/"]];
    const { crm, upstream } = await startCrm(answering(200, {}), { credential, servers });
    expect(crm.report.uncredentialed).toEqual(expect.arrayContaining(["getClient", "elsewhere"]));
    expect(await crm.call("getClient", { id: 1 })).toMatchObject({
      fault: { reason: "core/misconfigured", effect: "none" },
    });
    expect(upstream.hits).toHaveLength(0);
  });
});
