// REST APIs that verify tokens.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerJson, startUpstream } from "@recourse/test-kit/loopback";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import type { TokenProvider } from "../support/token-provider.ts";
import { asked, callWith, fetched, holdTokens, openGateway, openProvider, outcomeOf, tokenCheck } from "./support.ts";

beforeEach(holdTokens);

async function openApi(provider: TokenProvider, kind: "clientCredentials" | "exchange") {
  const check = tokenCheck(provider);
  const revoked = new Set<string>();
  const seen: { readonly subject: string | undefined; readonly token: string }[] = [];
  const api = await startUpstream(async ({ headers }, response) => {
    const token = String(headers["authorization"]).replace(/^Bearer /, "");
    const subject = revoked.has(token) ? undefined : await check.subject(token, "https://crm.example/");
    seen.push({ subject, token });
    if (subject === undefined) return answerJson(response, 401, { message: `not ${token}` });
    return answerJson(response, 200, { subject, echoed: token });
  });
  const folder = await mkdtemp(join(tmpdir(), "rest-"));
  const document = join(folder, "crm.json");
  await writeFile(
    document,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "CRM", version: "1" },
      servers: [{ url: api.url }],
      components: { securitySchemes: { oauth: { type: "http", scheme: "bearer" } } },
      security: [{ oauth: [] }],
      paths: { "/me": { get: { operationId: "echo", responses: { "200": { description: "who" } } } } },
    }),
  );
  onTestFinished(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });
  const config: UpstreamConfig = {
    kind: "openapi",
    name: "up",
    prefix: "up__",
    document,
    server: undefined,
    foreignText: "quote",
    speaksFaults: false,
    trustAnnotations: true,
    dialect: undefined,
    timeoutMs: 600_000,
    honoursKeys: false,
    credential: fetched(kind, provider, "https://crm.example/"),
  };
  return { config, seen, revoked };
}

test.each([
  ["clientCredentials", ["gateway", "gateway"], { client_credentials: 1 }],
  ["exchange", ["ada", "bob"], { exchange: 2 }],
] as const)("%s: the API sees %j", async (kind, expected, requests) => {
  const provider = await openProvider();
  const { config, seen, revoked } = await openApi(provider, kind);
  const gateway = await openGateway(provider, [config]);
  const tokens = [await provider.sign("ada"), await provider.sign("bob")];
  const answers = await Promise.all(tokens.map((token) => callWith(gateway, token)));
  expect(
    answers.map(({ text }) => /subject\\":\\"(\w+)/.exec(text)?.[1] ?? /"subject":"(\w+)/.exec(text)?.[1]),
  ).toEqual(expected);
  expect(asked(provider)).toEqual(requests);
  // The token that was echoed is cut out.
  for (const { token } of seen) for (const { text } of answers) expect(text.includes(token)).toBe(false);
  // One that is refused is replaced, and the call is made again.
  for (const { token } of seen) revoked.add(token);
  const again = await callWith(gateway, tokens[0] as string);
  expect(again.text).toContain(expected[0]);
  expect(seen.slice(-2).map(({ subject }) => subject)).toEqual([undefined, expected[0]]);
});

test("failures of the service end the call before the API is asked", async () => {
  const provider = await openProvider();
  const { config, seen } = await openApi(provider, "exchange");
  const gateway = await openGateway(provider, [config]);
  provider.mood.refused.set("eve", "access_denied");
  expect(await outcomeOf(callWith(gateway, await provider.sign("eve")))).toBe("auth/exchange_refused");
  provider.mood.status = 503;
  expect(await outcomeOf(callWith(gateway, await provider.sign("ada")))).toBe("core/unavailable");
  provider.mood.status = 401;
  expect(await outcomeOf(callWith(gateway, await provider.sign("bob")))).toBe("core/misconfigured");
  expect(seen).toEqual([]);
});
