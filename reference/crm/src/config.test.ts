import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const DATABASE_URL = "postgres://127.0.0.1/crm";

test("DATABASE_URL is enough", () => {
  expect(readConfig({ DATABASE_URL })).toEqual({
    databaseUrl: DATABASE_URL,
    host: "127.0.0.1",
    ports: { rest: 8_953, mcp: 8_954 },
    seeds: true,
    hosts: ["localhost", "127.0.0.1", "[::1]"],
    callsPerMinute: 600,
    journalFile: undefined,
  });
});

test("every setting can be changed", () => {
  const env = { DATABASE_URL, HOST: "::1", REST_PORT: "1", MCP_PORT: "2", CALLS_PER_MINUTE: "3", SEEDS: "off" };
  expect(readConfig({ ...env, JOURNAL: "j", ALLOWED_HOSTS: "crm.example" })).toMatchObject({
    host: "::1",
    ports: { rest: 1, mcp: 2 },
    seeds: false,
    hosts: expect.arrayContaining(["crm.example"]) as string[],
    callsPerMinute: 3,
    journalFile: "j",
  });
});

test.each([{}, { DATABASE_URL, REST_PORT: "x" }, { DATABASE_URL, CALLS_PER_MINUTE: "-1" }])("%j is wrong", (env) => {
  expect(readConfig(env)).toEqual({ problem: expect.any(String) as string });
});
