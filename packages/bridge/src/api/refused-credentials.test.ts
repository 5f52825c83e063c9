import { core } from "@recourse/core/reasons";
import type { Incident } from "@recourse/core/server";
import { closeAfterTest, openUpstream } from "@recourse/test-kit/fixtures";
import { answerJson, type TestUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { answering, DOCUMENT, KEY, startCrm } from "../../test/crm.ts";
import { clientCredentials } from "../credentials/client-credentials.ts";
import type { Credential } from "../credentials/credential.ts";
import { forward } from "../credentials/simple-credentials.ts";
import { openapi } from "../openapi.ts";

describe("a credential that is refused", () => {
  test("concerns the operator when it is the server's own", async () => {
    const incidents: Incident[] = [];
    let status = 401;
    const { crm } = await startCrm((_, response) => answerJson(response, status, { message: `bad key ${KEY}` }), {
      sink: (incident: Incident) => incidents.push(incident),
    });
    const refused = await crm.call("getClient", { id: 1 });
    expect(refused).toMatchObject({
      fault: { kind: "unavailable", reason: "rest/upstream_auth", effect: "none", retry: { allowed: false } },
    });
    expect(incidents).toEqual([expect.objectContaining({ tool: "getClient", fault: refused.ok ? {} : refused.fault })]);
    expect(incidents[0]?.fault.incident).toMatch(/^\w{26}$/);
    status = 404;
    await crm.call("getClient", { id: 1 });
    expect(incidents).toHaveLength(1);
    status = 403;
    await crm.call("getClient", { id: 1 });
    expect(incidents.at(-1)).toMatchObject({ fault: { reason: "rest/upstream_forbidden" } });
  });

  test("concerns the caller when the caller sent it", async () => {
    const { crm, upstream } = await startCrm(answering(401, { message: "expired" }), {
      credential: forward("authorization"),
    });
    const headers = { Authorization: "Bearer callers-own-token-123" };
    expect(await crm.call("getClient", { id: 1 }, { headers })).toMatchObject({
      fault: { reason: "auth/unauthorized" },
    });
    expect(upstream.hits[0]?.headers["authorization"]).toBe("Bearer callers-own-token-123");
    expect(await crm.call("getClient", { id: 1 })).toMatchObject({ fault: { reason: "auth/unauthorized" } });
    expect(upstream.hits).toHaveLength(1);
  });
});

describe("a credential of one call", () => {
  const applying = (apply: Credential["apply"]): Credential => ({ owner: "own", secrets: [], fits: () => true, apply });

  test("is sent in the place of the API's own, kept out of the answer, and renewed once where it is refused", async () => {
    const { crm, upstream } = await startCrm(({ headers }, response) => {
      const isOld = headers["authorization"] === "Bearer token-of-ada-1";
      return answerJson(response, isOld ? 401 : 200, { id: 1, name: String(headers["authorization"]) });
    });
    let count = 0;
    const credential = applying(async () => {
      count += 1;
      const token = `token-of-ada-${count}`;
      return {
        ok: true,
        parts: { headers: { authorization: `Bearer ${token}` } },
        secrets: [token],
        renew: () => true,
      };
    });
    const outcome = await crm.call("getClient", { id: 1 }, { credential });
    expect(outcome.ok).toBe(true);
    expect(JSON.stringify(outcome)).not.toContain("token-of-ada-2");
    await crm.call("getClient", { id: 1 });
    expect(upstream.hits.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer token-of-ada-1",
      "Bearer token-of-ada-2",
      `Bearer ${KEY}`,
    ]);
  });

  test("that cannot be had ends the call before it is sent", async () => {
    const { crm, upstream } = await startCrm(answering(200, {}));
    const fault = core.unavailable.fault({}, { effect: "none" });
    const credential = applying(async () => ({ ok: false, fault }));
    expect(await crm.call("getClient", { id: 1 }, { credential })).toMatchObject({ ok: false, fault });
    expect(upstream.hits).toEqual([]);
  });
});

describe("a token that is refused", () => {
  const served = (good: string): UpstreamAnswer => {
    let count = 0;
    return (hit, response) => {
      if (hit.target === "/token") return answerJson(response, 200, { access_token: `token-${++count}-xyz` });
      return answerJson(response, hit.headers["authorization"] === `Bearer ${good}` ? 201 : 401, {});
    };
  };
  const targets = ({ hits }: TestUpstream) => hits.map((hit) => hit.target);

  async function withTokens(answer: UpstreamAnswer) {
    const tokens = await openUpstream(answer);
    const tokenUrl = `${tokens.url}/token`;
    const credential = clientCredentials({ tokenUrl, clientId: "me", clientSecret: "s3cret-xyz" });
    const crm = await openapi(DOCUMENT, { server: tokens.url, credential, network: { allowPrivate: true } });
    return { crm: closeAfterTest(crm), upstream: tokens };
  }

  test("is renewed once, and the call repeated once with the new one", async () => {
    const { crm, upstream } = await withTokens(served("token-2-xyz"));
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({ ok: true });
    expect(targets(upstream)).toEqual(["/token", "/clients", "/token", "/clients"]);
  });

  test("is not renewed again when the new one is refused too", async () => {
    const { crm, upstream } = await withTokens(served("none"));
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({ fault: { reason: "rest/upstream_auth" } });
    expect(targets(upstream)).toEqual(["/token", "/clients", "/token", "/clients"]);
  });
});
