import { auth, core } from "@recourse/core/reasons";
import { expect, test } from "vitest";
import { UNAUTHORIZED } from "./credential-cache.ts";
import { challenges, protectedResourceMetadata, resourceMetadataUrl } from "./resource-metadata.ts";

const CONFIG = {
  name: "gateway",
  listen: { host: "127.0.0.1", port: 8080 },
  path: "/mcp",
  publicUrl: "https://tools.example/",
  jwt: {
    issuer: "https://login.example",
    audience: "https://tools.example/mcp",
    jwksUrl: "https://login.example/keys",
    tenantClaim: "tenant",
    tools: ["*"],
    dialect: undefined,
  },
  tools: [
    { pattern: "shop__refund", hidden: false, scopes: ["refunds", "orders"], entitlement: undefined, cost: 1 },
    { pattern: "shop__*", hidden: false, scopes: ["orders"], entitlement: undefined, cost: 1 },
  ],
} as const;

test("the metadata names the resource, its issuer and the scopes of the tools", () => {
  expect(protectedResourceMetadata(CONFIG)).toEqual({
    resource: "https://tools.example/mcp",
    resource_name: "gateway",
    authorization_servers: ["https://login.example"],
    bearer_methods_supported: ["header"],
    scopes_supported: ["orders", "refunds"],
  });
});

test.each([
  ["https://tools.example", "https://tools.example/.well-known/oauth-protected-resource/mcp"],
  ["https://tools.example/eu/", "https://tools.example/.well-known/oauth-protected-resource/eu/mcp"],
  [undefined, "http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp"],
])("with the public address %s it is at %s", (publicUrl, url) => {
  expect(resourceMetadataUrl({ ...CONFIG, publicUrl })).toBe(url);
});

test("there is none without tokens, and none where the address cannot be known", () => {
  expect(protectedResourceMetadata({ ...CONFIG, jwt: undefined })).toBeUndefined();
  const open = { ...CONFIG, publicUrl: undefined, listen: { host: "0.0.0.0", port: 8080 } };
  expect([protectedResourceMetadata(open), resourceMetadataUrl(open)]).toEqual([undefined, undefined]);
});

test("a refusal is answered with the address of the metadata, a lacking scope with its name, other faults with nothing", () => {
  const challenge = challenges(CONFIG);
  const at = 'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"';
  expect(challenge(UNAUTHORIZED)).toBe(`Bearer ${at}`);
  expect(challenge(auth.insufficient_scope.fault({ scopes: ["refunds"] }))).toBe(
    `Bearer error="insufficient_scope", scope="refunds", ${at}`,
  );
  expect(challenge(core.internal.fault())).toBeUndefined();
  expect(challenges({ ...CONFIG, jwt: undefined })(UNAUTHORIZED)).toBe('Bearer realm="API key"');
});
