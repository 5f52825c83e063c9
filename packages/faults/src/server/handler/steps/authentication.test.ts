import { describe, expect, it } from "vitest";
import { call, fixed, guarded, ID, incidents, NOW, post, read, SECRET } from "../../../../test/peers/server/edge.ts";
import { token_expired } from "../../../reasons/library/auth.ts";
import { guardHandler } from "../guard-handler.ts";
import type { HandlerOptions } from "../options.ts";

describe("credentials", () => {
  const resourceMetadata = "https://api.example/.well-known/oauth-protected-resource";
  const tokens: Record<string, Parameters<typeof judge>[0]> = {
    good: { ok: true, auth: { token: "good", clientId: "ann", scopes: ["read"], expiresAt: NOW / 1_000 + 60 } },
    expired: { ok: true, auth: { token: "expired", expiresAt: NOW / 1_000 - 60 } },
    "expired-poor": { ok: false, challenge: { scopes: ["write"] }, auth: { expiresAt: NOW / 1_000 - 60 } },
    revoked: { ok: false, challenge: "unauthenticated" },
    poor: { ok: false, challenge: { scopes: ["write", 'bad"scope'] } },
  };
  function judge(found: Awaited<ReturnType<NonNullable<HandlerOptions["authenticate"]>>>): typeof found {
    return found;
  }
  const authenticate: HandlerOptions["authenticate"] = (request) => {
    const header = request.headers.get("authorization");
    if (header === null) return { ok: false, challenge: { scopes: ["write"] } };
    const token = /^Bearer (.+)$/.exec(header)?.[1];
    if (token === "throws-stated") throw token_expired({ expiredAt: 5 });
    if (token === "throws") throw new Error(SECRET);
    return tokens[token ?? ""] ?? { ok: false };
  };
  const ask = (token?: string, options: HandlerOptions = {}, headers: Record<string, string> = {}) =>
    guarded({ authenticate, resourceMetadata, ...options }).fetch(
      post(call(), { ...(token !== undefined && { authorization: token }), ...headers }),
    );
  const bytesOf = async (response: Response) =>
    JSON.stringify([response.status, [...response.headers].sort(), await response.text()]);

  it("reach the handler", async () => {
    expect((await read(await ask("Bearer good"))).body.result?.content[0]?.text).toBe("ann: hi");
  });

  it("are refused alike whatever is wrong with them", async () => {
    const refused = [
      undefined,
      "Bearer unknown",
      "Bearer revoked",
      "Bearer expired",
      "Bearer expired-poor",
      "Bearer throws-stated",
      "malformed",
    ];
    const answers = await Promise.all(refused.map(async (token) => bytesOf(await ask(token))));
    expect(new Set(answers).size).toBe(1);
    const response = await ask();
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${resourceMetadata}"`);
    const { body, reason } = await read(response);
    expect([body.error?.code, reason, body.id]).toEqual([-32603, "auth/unauthorized", 7]);
    const problems = await Promise.all(
      refused.map(async (token) =>
        bytesOf(await ask(token, { recorded: true }, { accept: "application/problem+json" })),
      ),
    );
    expect(new Set(problems).size).toBe(1);
  });

  it("name the scopes to ask for", async () => {
    const response = await ask(undefined, { scopes: ["read", "write"] });
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer scope="read write", resource_metadata="${resourceMetadata}"`,
    );
  });

  it("that lack a scope are told which", async () => {
    const response = await ask("Bearer poor");
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="write", resource_metadata="${resourceMetadata}"`,
    );
    expect((await read(response)).reason).toBe("auth/insufficient_scope");
  });

  it("are not to blame when the check itself breaks", async () => {
    incidents.length = 0;
    const { status, body, reason } = await read(await ask("Bearer throws"));
    expect([status, reason]).toEqual([500, "core/internal"]);
    expect(body.error?.data["recourse/fault"]).toMatchObject({ effect: "none", incident: ID });
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect(incidents[0]?.secrets?.has("xx Bearer throws yy")).toBe(true);
  });

  it.each([undefined, null, true, {}, { ok: "yes" }, { ok: false, challenge: {} }])(
    "are never taken for good by an answer that is none: %j",
    async (found) => {
      const response = await ask("Bearer x", { authenticate: () => found as never });
      expect([401, 403, 500]).toContain(response.status);
    },
  );

  it("refused by the handler itself lose its prose", async () => {
    const header = `Bearer error="invalid_token", error_description="expired at noon", scope="mcp", resource_metadata="https://a.example/m"`;
    const inner = (_: Request) =>
      Promise.resolve(
        new Response('{"error":"invalid_token"}', { status: 401, headers: { "www-authenticate": header } }),
      );
    const response = await guardHandler(inner, fixed)(post());
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer scope="mcp", resource_metadata="https://a.example/m"',
    );
    expect((await read(response)).reason).toBe("auth/unauthorized");
    const scope = (_: Request) =>
      Promise.resolve(
        new Response("{}", {
          status: 403,
          headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="a b"' },
        }),
      );
    const poor = await guardHandler(scope, fixed)(post());
    expect(poor.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="a b"');
    expect((await read(poor)).reason).toBe("auth/insufficient_scope");
  });

  it("are asked for before a session's GET too, where the handler serves it", async () => {
    const inner = (_: Request) => Promise.resolve(new Response("stream"));
    const options = { ...fixed, methods: ["GET"], authenticate } satisfies HandlerOptions;
    const get = (headers: Record<string, string> = {}) =>
      guardHandler(inner, options)(new Request("http://127.0.0.1/mcp", { headers }));
    expect((await get()).status).toBe(401);
    expect((await get({ authorization: "Bearer good" })).status).toBe(200);
    const put = await guardHandler(inner, options)(new Request("http://127.0.0.1/mcp", { method: "PUT" }));
    expect(put.headers.get("allow")).toBe("POST, GET");
  });
});
