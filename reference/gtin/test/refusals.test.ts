// All refused credentials get the same bytes after the same time.
import { request } from "node:http";
import { isNightly } from "@recourse/test-kit/runs";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokens } from "../src/access/tokens.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const NOW = Date.parse("2026-04-26T02:34:56Z");
const environment = await createTestEnvironment({ now: () => NOW });
afterAll(() => environment.close());
beforeAll(async () => {
  await environment.database.query("insert into revoked_token (id) values ('stolen')");
});

/** How often each refusal is timed. */
const ROUNDS = isNightly ? 60 : 20;
const SCOPES = ["qr:generate"];
const elsewhere = createTokens("a secret of somebody else, long enough to sign", () => NOW);
const good = await environment.token(SCOPES);
const CREDENTIALS: Readonly<Record<string, string>> = {
  "of an unknown client": `Bearer ${await environment.token(SCOPES, { subject: "nobody" })}`,
  "signed by somebody else": `Bearer ${await elsewhere.sign({ subject: "demo", id: "t", scopes: SCOPES }, 60_000)}`,
  revoked: `Bearer ${await environment.token(SCOPES, { id: "stolen" })}`,
  expired: `Bearer ${await environment.token(SCOPES, { lifetimeMs: -1_000 })}`,
  unsigned: `Bearer ${new UnsecuredJWT({ scope: "qr:generate" }).setSubject("demo").setJti("t").encode()}`,
  "of another issuer": `Bearer ${await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("x")
    .sign(Buffer.from("x".repeat(32)))}`,
  "with its end cut off": `Bearer ${good.slice(0, -4)}`,
  malformed: "Bearer abc",
  empty: "Bearer",
  "of another scheme": "Basic ZGVtbzpkZW1v",
};

interface Way {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const MCP = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "generate_qr_url", arguments: { gtin: "09520123456788" } },
  }),
};
const WAYS: Readonly<Record<string, Way>> = {
  "over REST": { path: "/v1/gtin/09520123456788/qr" },
  "in the result of the tool": { path: "/mcp", ...MCP },
  "at the edge of MCP": { path: "/mcp?dialect=mcp", ...MCP },
  "of a tool that needs none": { path: "/v1/gtin/09520123456788/product" },
};

/** The whole answer as text: status, headers in their order, body; the clock of the HTTP server apart. */
function answerTo({ path, method = "GET", headers = {}, body }: Way, authorization?: string): Promise<string> {
  const credentials = authorization === undefined ? {} : { authorization };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${environment.url}${path}`,
      { method, headers: { ...headers, ...credentials } },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const fields = answer.rawHeaders.join("\n").replace(/^Date\n.*$/m, "");
        resolve(
          `${answer.statusCode} ${answer.statusMessage}\n${fields}\n\n${Buffer.concat(chunks).toString("latin1")}`,
        );
      },
    );
    sent.on("error", reject).end(body);
  });
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  let malformed = "";
  beforeAll(async () => {
    malformed = await answerTo(way, "Bearer abc");
  });

  test.each(Object.entries(CREDENTIALS))("a token %s", async (_cause, authorization) => {
    expect(malformed).toContain("Valid credentials are required.");
    expect(await answerTo(way, authorization)).toBe(malformed);
  });

  test("a valid key is not refused", async () => {
    expect(await answerTo(way, `Bearer ${good}`)).toMatch(/^200 OK/);
  });
});

test("a missing token is refused with the same bytes", async () => {
  for (const way of ["over REST", "in the result of the tool", "at the edge of MCP"]) {
    expect(await answerTo(WAYS[way] as Way)).toBe(await answerTo(WAYS[way] as Way, "Bearer abc"));
  }
});

test("a host learns how to sign in, and which scope is missing", async () => {
  const edge = WAYS["at the edge of MCP"] as Way;
  expect(await answerTo(edge, "Bearer abc")).toMatch(/^401 [\s\S]*www-authenticate\nBearer\n/);
  const poor = `Bearer ${await environment.token(["other"])}`;
  expect(await answerTo(edge, poor)).toMatch(/^403 [\s\S]*Bearer error="insufficient_scope", scope="qr:generate"/);
  expect(await answerTo(WAYS["over REST"] as Way, poor)).toMatch(
    /^403 [\s\S]*www-authenticate\nBearer error="insufficient_scope", scope="qr:generate"/,
  );
});

test("the database is queried once for each token, whatever is wrong with it", async () => {
  for (const [cause, authorization] of Object.entries(CREDENTIALS)) {
    const before = environment.queryCount();
    await answerTo(WAYS["over REST"] as Way, authorization);
    expect(environment.queryCount() - before, cause).toBe(1);
  }
});

test("all refusals take the same time", async () => {
  const way = WAYS["over REST"] as Way;
  const times = new Map<string, number[]>();
  // In turns, so that other load of the machine affects all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [cause, authorization] of Object.entries(CREDENTIALS)) {
      const started = performance.now();
      await answerTo(way, authorization);
      times.set(cause, [...(times.get(cause) ?? []), performance.now() - started]);
    }
  }
  const medians = [...times.values()].map((list) => list.toSorted((a, b) => a - b)[list.length / 2] ?? 0);
  expect(Math.max(...medians)).toBeLessThan(Math.min(...medians) * 2 + 2);
});
