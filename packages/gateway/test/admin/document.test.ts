import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bearer, openapi } from "@recourse/bridge";
import { describe, expect, it, onTestFinished } from "vitest";
import { adminDocument, ROUTES } from "../../src/admin/app.ts";
import { loadConfig } from "../../src/config/load.ts";
import { ask, INCIDENT, INCIDENT_ID, keyOf, startTestAdmin } from "./support.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const generated = readFileSync(join(ROOT, "packages/gateway/openapi.json"), "utf8");

async function openBridge(role: "viewer" | "admin") {
  const { url } = await startTestAdmin();
  const api = await openapi(`${url.href}/openapi.json`, {
    credential: bearer(keyOf(role)),
    network: { allowPrivate: true },
    speaksFaults: true,
  });
  onTestFinished(() => api.close());
  return api;
}

describe("the document", () => {
  it("is served as it was generated, without a key", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/openapi.json", { key: undefined });
    expect([got.status, got.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(got.json).toEqual(JSON.parse(generated));
    expect(got.json).toEqual(adminDocument());
  });

  it("refers only to what it has, and names each operation and parameter once", () => {
    const document = JSON.parse(generated);
    for (const [, ref = ""] of generated.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
      const target = ref.split("/").reduce((at: Record<string, never>, name) => at?.[name] as never, document);
      expect(target, ref).toBeDefined();
    }
    const listed = ROUTES.filter(({ isUnlisted }) => isUnlisted !== true);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    for (const { params, query, body, path } of listed) {
      const names = [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}));
      expect(new Set(names).size, path).toBe(names.length);
      expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(params?.shape ?? {}));
    }
  });

  it("gives one tool for each operation, and those that only read are annotated so", async () => {
    const api = await openBridge("admin");
    const listed = ROUTES.filter(({ isUnlisted }) => isUnlisted !== true);
    expect(api.tools.map(({ name }) => name).toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
    const readers = api.tools.filter(({ annotations }) => annotations.readOnlyHint === true).map(({ name }) => name);
    expect(readers.toSorted()).toEqual(listed.flatMap(({ id, method }) => (method === "GET" ? [id] : [])).toSorted());
    expect(api.report.skipped).toEqual([]);
  });

  it("is enough to call it", async () => {
    const api = await openBridge("viewer");
    await expect(api.call("getIncident", { id: INCIDENT_ID })).resolves.toMatchObject({
      ok: true,
      result: { structuredContent: { id: INCIDENT_ID, reason: INCIDENT.reason } },
    });
    await expect(api.call("getIncident", { id: "01M7HXRMR83H8Q9JKGBAVMDXX9" })).resolves.toMatchObject({
      ok: false,
      fault: { kind: "not_found", reason: "core/not_found" },
    });
    await expect(api.call("resetBreaker", { upstream: "up" })).resolves.toMatchObject({
      ok: false,
      // The key is the gateway's own, so its role is not the problem of the caller.
      fault: { kind: "unavailable", reason: "rest/upstream_forbidden" },
    });
  });
});

describe("the page", () => {
  const text = readFileSync(join(ROOT, "docs/gateway/admin.md"), "utf8");
  const samples = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, sample = ""]) => sample);
  const digest = "c".repeat(64);
  const environment = {
    ANN_SHA256: digest,
    SUPPORT_SHA256: digest,
    VIEWER_KEY: "key-of-the-viewer",
  };

  it("has samples", () => {
    expect(samples).toHaveLength(3);
  });

  it.each(samples)("has samples that are taken without a warning: %#", (sample) => {
    expect(loadConfig(sample, { environment })).toMatchObject({ ok: true, warnings: [] });
  });
});
