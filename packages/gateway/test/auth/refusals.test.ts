// A gateway with keys in a file, keys in PostgreSQL and tokens: what refused callers see on the wire.

import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { request } from "undici";
import { expect, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { startGateway } from "../../src/gateway.ts";
import { postgresKeys } from "../../src/stores/keys.ts";
import { testConfig } from "../support/config.ts";
import { AUDIENCE, ISSUER, signingKey, startIssuer } from "./issuer.ts";
import { poolOf, storeKey } from "./support.ts";

/** The whole answer, without what differs by nature: the time, and the id of the request. */
async function answerTo(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const { date: _, "x-request-id": __, ...rest } = answer.headers;
  return JSON.stringify({ status: answer.statusCode, headers: rest, body: await answer.body.text() });
}

test("every refusal is the same answer, byte for byte, and good credentials pass beside it", async () => {
  const [redis, database, key] = await Promise.all([
    createRedisServer({ durable: false }),
    createTestDatabase(),
    signingKey("one", Date.now),
  ]);
  const issuer = await startIssuer([key]);
  const ofFile = createApiKey();
  const config = testConfig({
    drainMs: 0,
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url },
    authentication: "required",
    publicUrl: "https://tools.example",
    hosts: "any",
    keys: [
      {
        id: "ci",
        tenant: "acme",
        sha256: ofFile.sha256,
        tools: ["*"],
        scopes: [],
        entitlements: [],
        dialect: undefined,
      },
    ],
    jwt: {
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: issuer.url,
      tenantClaim: "org",
      tools: ["*"],
      dialect: undefined,
    },
  });
  const gateway = await startGateway(config);
  const pool = poolOf(database.url);
  try {
    const keys = postgresKeys(pool);
    const [good, revoked, expired] = await Promise.all([
      storeKey(keys),
      storeKey(keys),
      storeKey(keys, { expires: new Date(0) }),
    ]);
    await keys.revoke(revoked.slice(3, 11));
    const stranger = await signingKey("one", Date.now);
    const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
    const refusals: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: "Basic YTpi" },
      bearer("malformed"),
      bearer(createApiKey().key),
      bearer(revoked),
      bearer(expired),
      { ...bearer(good), "x-api-key": ofFile.key },
      bearer(await key.sign({ aud: "https://other.example" })),
      bearer(await key.sign({ exp: 1 })),
      bearer(await stranger.sign({})),
      { "x-api-key": createApiKey().key },
    ];
    const answers = await Promise.all(refusals.map((headers) => answerTo(gateway.url, headers)));
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? "")).toMatchObject({
      status: 401,
      headers: {
        "www-authenticate": 'Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
      },
    });
    for (const headers of [bearer(ofFile.key), bearer(good), { "x-api-key": good }, bearer(await key.sign({}))]) {
      expect(JSON.parse(await answerTo(gateway.url, headers))).toMatchObject({ status: 200 });
    }
    const metadata = await request(new URL("/.well-known/oauth-protected-resource/mcp", gateway.url));
    expect(await metadata.body.json()).toMatchObject({
      resource: "https://tools.example/mcp",
      authorization_servers: [ISSUER],
    });
  } finally {
    await pool.end();
    await gateway.close();
    await Promise.all([issuer.close(), redis.close(), database.drop()]);
  }
});
