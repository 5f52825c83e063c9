import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../../docs/gateway/configuration.md"), "utf8");
const samples = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

const ENVIRONMENT = {
  REDIS_URL: "redis://127.0.0.1:6379",
  DATABASE_URL: "postgres://127.0.0.1/gateway",
  CI_KEY_SHA256: "c".repeat(64),
  SHOP_TOKEN: "token-of-the-shop",
  CRM_KEY: "key-of-the-crm",
};

it("has samples on its page", () => {
  expect(samples).toHaveLength(2);
});

it.each(samples)("takes the sample of its page without a warning: %#", (text) => {
  expect(loadConfig(text, { environment: ENVIRONMENT })).toMatchObject({ ok: true, warnings: [] });
});
