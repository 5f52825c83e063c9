import { describe, expect, it } from "vitest";
import type { RequestHead } from "../call/head.ts";
import { checkCrossSite, findOwnOrigin, type SourceHeaders } from "./cross-site.ts";

const OWN = "https://ops.example.com";
const READ: SourceHeaders = {
  method: "GET",
  site: "same-origin",
  origin: undefined,
  type: undefined,
  marker: undefined,
};
const CHANGE: SourceHeaders = { ...READ, method: "POST", origin: OWN, type: "application/json", marker: "1" };

describe("a request with a session", () => {
  it.each<[string, SourceHeaders, ReturnType<typeof checkCrossSite>]>([
    ["a read", READ, undefined],
    ["a read of the head", { ...READ, method: "HEAD" }, undefined],
    ["a read with the own origin", { ...READ, origin: OWN }, undefined],
    ["a read with the own origin and its port", { ...READ, origin: `${OWN}:443` }, undefined],
    ["a read of another site", { ...READ, site: "cross-site" }, "site"],
    ["a read of another port of the host", { ...READ, site: "same-site" }, "site"],
    ["an address that was typed", { ...READ, site: "none" }, "site"],
    ["a read without Sec-Fetch-Site", { ...READ, site: undefined }, "site"],
    ["a repeated Sec-Fetch-Site", { ...READ, site: "same-origin, same-origin" }, "site"],
    ["a read with another origin", { ...READ, origin: "https://evil.example" }, "origin"],
    ["a read with another port", { ...READ, origin: `${OWN}:8443` }, "origin"],
    ["a read with another scheme", { ...READ, origin: "http://ops.example.com" }, "origin"],
    ["a read with an origin without a name", { ...READ, origin: "null" }, "origin"],
    ["a change", CHANGE, undefined],
    ["a change by DELETE", { ...CHANGE, method: "DELETE" }, undefined],
    ["a change with parameters of its type", { ...CHANGE, type: "Application/JSON; charset=utf-8" }, undefined],
    ["a change without an origin", { ...CHANGE, origin: undefined }, "origin"],
    ["a change with an origin without a name", { ...CHANGE, origin: "null" }, "origin"],
    ["a change of another page", { ...CHANGE, origin: "https://evil.example" }, "origin"],
    ["a change of a longer name", { ...CHANGE, origin: "https://ops.example.com.evil.example" }, "origin"],
    ["a change of another port", { ...CHANGE, origin: `${OWN}:8443` }, "origin"],
    ["a change without Sec-Fetch-Site", { ...CHANGE, site: undefined }, "site"],
    ["a change of another port by its site", { ...CHANGE, site: "same-site" }, "site"],
    ["a change as a form", { ...CHANGE, type: "application/x-www-form-urlencoded" }, "type"],
    ["a change as text", { ...CHANGE, type: "text/plain" }, "type"],
    ["a change without a type", { ...CHANGE, type: undefined }, "type"],
    ["a change without the marker", { ...CHANGE, marker: undefined }, "marker"],
    ["a change with another marker", { ...CHANGE, marker: "true" }, "marker"],
    ["an unknown method", { ...READ, method: "PUT" }, "origin"],
  ])("%s", (_, sent, problem) => {
    expect(checkCrossSite(sent, OWN)).toBe(problem);
    expect(checkCrossSite(sent, undefined)).toBe("address");
  });
});

describe("the own origin", () => {
  const head = (host: string) => ({ header: (name: string) => (name === "host" ? host : undefined) }) as RequestHead;
  it.each([
    ["https://ops.example.com/console", "127.0.0.1:8081", "https://ops.example.com"],
    ["https://example.com:8443/recourse/console", "evil.example", "https://example.com:8443"],
    [undefined, "127.0.0.1:8081", "http://127.0.0.1:8081"],
    [undefined, "LOCALHOST:8081", "http://localhost:8081"],
    [undefined, "[::1]:8081", "http://[::1]:8081"],
    [undefined, "localhost", "http://localhost"],
    [undefined, "10.0.0.7:8081", undefined],
    [undefined, "ops.example.com", undefined],
    [undefined, "127.0.0.1:8081, evil.example", undefined],
    [undefined, "", undefined],
  ])("with the address %s and the host %s is %s", (url, host, origin) => {
    expect(findOwnOrigin(url, head(host))).toBe(origin);
  });
});
