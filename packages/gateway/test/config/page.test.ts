import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificate } from "@recourse/test-kit/certificates";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../../docs/gateway/configuration.md"), "utf8");
const samples = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

const ENVIRONMENT = {
  REDIS_URL: "redis://127.0.0.1:6379",
  DATABASE_URL: "postgres://127.0.0.1/gateway",
  CI_KEY_SHA256: "c".repeat(64),
  SHOP_TOKEN: "token-of-the-shop",
  CRM_KEY: "key-of-the-crm",
  PROXY_PASSWORD: "password-of-the-proxy",
};
/** Samples that show a part of a file leave out what every file needs. */
const REQUIRED = "store: memory\nauthentication: none\n";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recourse-page-"));
  writeFileSync(join(folder, "internal-ca.pem"), createCertificate({ name: "internal", authority: true }).cert);
});
afterAll(() => rmSync(folder, { recursive: true }));

it("has samples on its page", () => {
  expect(samples).toHaveLength(3);
});

it.each(samples)("takes the sample of its page without a warning: %#", (sample) => {
  const text = sample.startsWith("upstreams:") ? `${REQUIRED}${sample}` : sample;
  const loaded = loadConfig(text, { environment: ENVIRONMENT, file: join(folder, "gateway.yaml") });
  expect(loaded).toMatchObject({ ok: true, warnings: [] });
});
