// The API beside its gateway: start, reload and stop.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../src/gateway.ts";
import { testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { ADMIN, ask, INCIDENT_ID, keyOf, someIncidents, startTestAdmin } from "./support.ts";

it("there is none where the file has none", async () => {
  const { adminUrl } = await startTestGateway();
  expect(adminUrl).toBeUndefined();
});

it("keys of callers do not open it, and its keys do not open the MCP endpoint", async () => {
  const sha256 = "a".repeat(64);
  const ofCaller = { id: "ci", tenant: "t", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const gateway = await startTestGateway({ admin: ADMIN, authentication: "required", keys: [ofCaller] });
  const adminUrl = gateway.adminUrl as URL;
  expect((await ask(adminUrl, "/health")).status).toBe(200);
  expect((await ask(adminUrl, "/health", { key: "some-key-of-a-caller" })).status).toBe(401);
  const mcp = await ask(gateway.url, "", { method: "POST", body: {} });
  expect(mcp.status).toBe(401);
});

it("a key that is gone after a reload is refused at once", async () => {
  const gateway = await startTestGateway({ admin: ADMIN });
  const adminUrl = gateway.adminUrl as URL;
  expect((await ask(adminUrl, "/health", { key: keyOf("viewer") })).status).toBe(200);
  const keys = ADMIN.keys.filter(({ role }) => role !== "viewer");
  await gateway.reload(testConfig({ drainMs: 0, admin: { ...ADMIN, keys } }));
  expect((await ask(adminUrl, "/health", { key: keyOf("viewer") })).status).toBe(401);
  expect((await ask(adminUrl, "/health")).status).toBe(200);
  await gateway.reload(testConfig({ drainMs: 0 }));
  expect((await ask(adminUrl, "/health")).status).toBe(401);
});

it("a gateway whose address for operators is taken does not start, and frees what it took", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as AddressInfo;
  const listen = { host: "127.0.0.1", port };
  await expect(startGateway(testConfig({ admin: { ...ADMIN, listen } }))).rejects.toMatchObject({
    code: "EADDRINUSE",
    port,
  });
});

it("requests under way end before it stops, and new ones are not taken", async () => {
  const { incidents } = someIncidents();
  const asked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const reader = {
    ...incidents.reader,
    find: async (id: string) => {
      asked.resolve();
      await free.promise;
      return incidents.reader.find(id);
    },
  };
  const { url, close } = await startTestAdmin(
    { controls: { incidents: { ...incidents, reader } } },
    { drainMs: 10_000 },
  );
  const answer = ask(url, `/incidents/${INCIDENT_ID}`);
  await asked.promise;
  const closed = close();
  await expect(ask(url, "/health")).rejects.toThrow();
  free.resolve();
  expect((await answer).status).toBe(200);
  await closed;
});
