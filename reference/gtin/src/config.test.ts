import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const DATABASE_URL = "postgres://postgres@127.0.0.1/gtin";

test("DATABASE_URL is enough", () => {
  expect(readConfig({ DATABASE_URL })).toMatchObject({
    databaseUrl: DATABASE_URL,
    host: "127.0.0.1",
    port: 8_952,
    publicUrl: "http://127.0.0.1:8952",
    seeds: true,
    callsPerMinute: 600,
  });
});

test("everything else is accepted", () => {
  const secret = "x".repeat(32);
  const env = {
    HOST: "0.0.0.0",
    PORT: "80",
    PUBLIC_URL: "https://id.example.com/",
    TOKEN_SECRET: secret,
    SEEDS: "off",
  };
  expect(readConfig({ DATABASE_URL, ...env })).toMatchObject({
    host: "0.0.0.0",
    port: 80,
    publicUrl: "https://id.example.com",
    tokenSecret: secret,
    seeds: false,
  });
});

test("without a secret every start has a random one", () => {
  const [a, b] = [readConfig({ DATABASE_URL }), readConfig({ DATABASE_URL })];
  expect("tokenSecret" in a && a.tokenSecret).not.toEqual("tokenSecret" in b && b.tokenSecret);
});

test.each([
  [{}, "DATABASE_URL"],
  [{ DATABASE_URL, TOKEN_SECRET: "short" }, "TOKEN_SECRET"],
  [{ DATABASE_URL, PORT: "http" }, "PORT"],
  [{ DATABASE_URL, CALLS_PER_MINUTE: "-1" }, "CALLS_PER_MINUTE"],
])("%j is wrong about %s", (env, name) => {
  expect(readConfig(env)).toEqual({ problem: expect.stringContaining(name) });
});
