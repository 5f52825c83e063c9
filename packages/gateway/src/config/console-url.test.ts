import { describe, expect, it } from "vitest";
import { consoleUrl } from "./console-url.ts";
import { loadConfig } from "./load.ts";

const DIGEST = "c".repeat(64);
const SHARED = "{ redis: redis://127.0.0.1, postgres: postgres://127.0.0.1/x }";
const SECRET = "a-secret-of-at-least-32-characters";

function load(admin: string, { store = "memory", rest = "" } = {}) {
  return loadConfig(
    `store: ${store}
authentication: none
upstreams: { shop: { url: "http://127.0.0.1:1/mcp" } }
admin: { keys: [{ id: ann, sha256: "${DIGEST}" }], ${admin} }
${rest}`,
    { environment: {} },
  );
}

function loaded(...given: Parameters<typeof load>) {
  const result = load(...given);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

describe("other cells", () => {
  it("have a name and the address of their console", () => {
    const cells =
      "cells: [{ name: eu, url: 'https://ops-eu.example' }, { name: us, url: 'https://us.example/console/' }]";
    expect(loaded(`console: { ${cells} }`).admin?.console?.cells).toEqual([
      { name: "eu", url: "https://ops-eu.example/console" },
      { name: "us", url: "https://us.example/console" },
    ]);
  });

  it.each(["http://ops-eu.example", "https://ops-eu.example?x=1", "https://", "javascript:alert(1)"])(
    "are a problem at %s",
    (url) => {
      const result = load(`console: { cells: [{ name: eu, url: '${url}' }] }`);
      expect(result.ok ? [] : result.problems.map(({ path }) => path)).toEqual(["admin.console.cells[0].url"]);
    },
  );
});

describe("the option", () => {
  it("is off unless it is written", () => {
    expect(loaded("").admin?.console).toBeUndefined();
    expect(loaded("console: false").admin?.console).toBeUndefined();
  });

  it("takes the same defaults in both forms", () => {
    const defaults = { url: undefined, secret: undefined, idleMs: 1_800_000, longestMs: 28_800_000 };
    expect(loaded("console: true").admin?.console).toEqual(defaults);
    expect(loaded("console: {}").admin?.console).toEqual(defaults);
    expect(loaded("console: { idle: 5m, longest: 1h }").admin?.console).toEqual({
      ...defaults,
      idleMs: 300_000,
      longestMs: 3_600_000,
    });
  });

  it.each([
    ["https://ops.example.com", "https://ops.example.com/console"],
    ["https://ops.example.com/", "https://ops.example.com/console"],
    ["https://ops.example.com:8443/console/", "https://ops.example.com:8443/console"],
    ["https://example.com/recourse", "https://example.com/recourse/console"],
    ["https://example.com/recourse/console", "https://example.com/recourse/console"],
    ["http://localhost:8081", "http://localhost:8081/console"],
  ])("reads the address %s as %s", (url, expected) => {
    expect(loaded(`console: { url: "${url}" }`).admin?.console?.url).toBe(expected);
  });
});

describe("problems and warnings", () => {
  it.each([
    ["true", SHARED, "admin.console", "sessions need a secret that all processes share."],
    [`{ url: "https://ops.example.com" }`, SHARED, "admin.console", "sessions need a secret that all processes share."],
    [`{ secret: short }`, SHARED, "admin.console.secret", "expected a text of at least 32 characters."],
    [
      `{ url: "http://ops.example.com" }`,
      "memory",
      "admin.console.url",
      "keys and sessions of operators would be sent over plain http, where others on the way can read them.",
    ],
    [
      `{ url: "https://a:b@ops.example.com" }`,
      "memory",
      "admin.console.url",
      "a URL must not hold a user or a password.",
    ],
    [
      `{ url: "https://ops.example.com/?a=1" }`,
      "memory",
      "admin.console.url",
      "a query or a fragment has no meaning here.",
    ],
    [`{ ur: "https://ops.example.com" }`, "memory", "admin.console.ur", "there is no such option."],
    ["yes", "memory", "admin.console", "expected true, or { url: …, secret: … }."],
  ])("%s with the store %s", (console, store, path, message) => {
    const result = load(`console: ${console}`, { store });
    expect(result).toMatchObject({ ok: false, problems: [{ path, message }] });
  });

  it("a secret is enough for a shared store, and is never part of a sentence", () => {
    expect(loaded(`console: { secret: ${SECRET} }`, { store: SHARED }).admin?.console?.secret).toBe(SECRET);
    expect(JSON.stringify(load(`console: { secret: ${SECRET}, idle: x }`))).not.toContain(SECRET);
  });

  it.each([
    [`listen: "0.0.0.0:8081", console: true`, "admin.console"],
    ["console: { idle: 9h }", "admin.console.idle"],
  ])("warns about %s", (admin, path) => {
    expect(load(admin)).toMatchObject({ ok: true, warnings: [{ path }] });
  });
});

describe("the address", () => {
  const console = { url: undefined, secret: undefined, idleMs: 1, longestMs: 1 };
  it.each([
    [{ host: "127.0.0.1", port: 8_081 }, undefined, "http://127.0.0.1:8081/console"],
    [{ host: "::1", port: 8_081 }, undefined, "http://[::1]:8081/console"],
    [{ host: "0.0.0.0", port: 8_081 }, undefined, "http://127.0.0.1:8081/console"],
    [{ host: "127.0.0.1", port: 0 }, undefined, undefined],
    [{ host: "127.0.0.1", port: 0 }, 4_711, "http://127.0.0.1:4711/console"],
    [{ host: "10.0.0.7", port: 8_081 }, undefined, undefined],
  ])("at %j with the port %s is %s", (listen, port, expected) => {
    expect(consoleUrl({ listen, console }, port)).toBe(expected);
    expect(consoleUrl({ listen, console: { ...console, url: "https://x/console" } }, port)).toBe("https://x/console");
    expect(consoleUrl({ listen, console: undefined }, port)).toBeUndefined();
  });

  const approvals = (more = "") => ({ rest: `approvals: { tools: ["shop__*"]${more} }` });
  it.each([
    ["", approvals(), undefined],
    ["console: true", approvals(), "http://127.0.0.1:8081/console/approvals/{id}"],
    ['console: { url: "https://ops.example.com" }', approvals(), "https://ops.example.com/console/approvals/{id}"],
    ['listen: "127.0.0.1:0", console: true', approvals(), undefined],
    ["console: true", approvals(', link: "https://mine.example/{id}"'), "https://mine.example/{id}"],
  ])("is where approvals are decided, with %s", (admin, options, link) => {
    expect(loaded(admin, options).approvals?.link).toBe(link);
  });
});
