import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const DATABASE_URL = "postgres://postgres@127.0.0.1/orders";

test("DATABASE_URL is enough", () => {
  expect(readConfig({ DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL, port: 8960, servicePort: 8961 });
});

test("the key of the service is random unless it is set", () => {
  const keyOf = (env: object) => (readConfig({ DATABASE_URL, ...env }) as { serviceKey: string }).serviceKey;
  expect(keyOf({})).toMatch(/^[\w-]{32}$/);
  expect(keyOf({})).not.toBe(keyOf({}));
  expect(keyOf({ SERVICE_KEY: "given" })).toBe("given");
});

test("ALLOWED_HOSTS adds names", () => {
  const hosts = ["localhost", "127.0.0.1", "[::1]", "orders.example"];
  expect(readConfig({ DATABASE_URL, ALLOWED_HOSTS: "orders.example" })).toMatchObject({ hosts });
});

test.each([
  [{}, "DATABASE_URL is missing"],
  [{ DATABASE_URL, PORT: "eighty" }, "PORT and SERVICE_PORT"],
  [{ DATABASE_URL, SERVICE_PORT: "-1" }, "PORT and SERVICE_PORT"],
])("%j is refused with a sentence", (env, words) => {
  expect(readConfig(env)).toEqual({ problem: expect.stringContaining(words) });
});
