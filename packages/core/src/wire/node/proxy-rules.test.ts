import { describe, expect, it } from "vitest";
import { createProxyChoice, parseProxy, readProxyRules } from "./proxy-rules.ts";

const chosen = (environment: Record<string, string>, address: string): string | undefined => {
  const rules = readProxyRules(environment);
  if (rules === undefined || "variable" in rules) return undefined;
  return createProxyChoice(rules)(new URL(address))?.href;
};

describe("the variables", () => {
  it("name one proxy for each protocol, and names in lower case win", () => {
    const environment = { HTTP_PROXY: "http://plain:1", HTTPS_PROXY: "http://upper:2", https_proxy: "lower:3" };
    expect(chosen(environment, "http://a.example/mcp")).toBe("http://plain:1/");
    expect(chosen(environment, "https://a.example/mcp")).toBe("http://lower:3/");
    expect(chosen({ HTTP_PROXY: "http://plain:1" }, "https://a.example")).toBeUndefined();
  });

  it("count as missing if they are empty", () => {
    expect(chosen({ https_proxy: " ", HTTPS_PROXY: "http://upper:2" }, "https://a.example")).toBe("http://upper:2/");
    expect(readProxyRules({ https_proxy: "", NO_PROXY: "*" })).toBeUndefined();
  });

  it.each(["socks5://proxy:1080", "http://", "http://proxy:99999", "http://u:%ff@proxy", "a b"])(
    "are a problem that names the variable, not the value: %s",
    (value) => {
      expect(parseProxy(value)).toBeUndefined();
      expect(readProxyRules({ HTTPS_PROXY: value })).toEqual({ variable: "HTTPS_PROXY" });
    },
  );
});

describe("hosts without a proxy", () => {
  const isDirect = (NO_PROXY: string, address: string) =>
    chosen({ HTTPS_PROXY: "http://proxy:1", HTTP_PROXY: "http://proxy:1", NO_PROXY }, address) === undefined;

  it.each([
    ["*", "https://a.example", true],
    ["example.com", "https://example.com", true],
    ["example.com", "https://API.example.com.", true],
    [".example.com", "https://example.com", true],
    ["example.com", "https://badexample.com", false],
    ["*.example.com", "https://api.example.com", true],
    ["*.example.com", "https://example.com", false],
    ["example.com:8443", "https://example.com:8443", true],
    ["example.com:8443", "https://example.com", false],
    ["example.com:443", "https://example.com", true],
    ["a.example, b.example  c.example", "https://c.example", true],
    ["10.0.0.0/8", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://11.1.2.3", false],
    ["10.0.0.0/8", "https://ten.example", false],
    ["10.0.0.0/99", "https://10.1.2.3", false],
    ["10.0.0.0/", "https://11.1.2.3", false],
    ["fd00::/8", "https://[fd00::1]:8443", true],
    ["[fd00::1]:8443", "https://[fd00:0::1]:8443", true],
    ["[fd00::1]:8443", "https://[fd00::1]", false],
    ["fd00::1", "https://[fd00::1]", true],
    ["::ffff:10.0.0.1", "https://10.0.0.2", false],
    ["", "https://a.example", false],
  ])("%s: %s is reached directly: %s", (list, address, expected) => {
    expect(isDirect(list, address)).toBe(expected);
  });

  it.each(["http://localhost:1", "https://shop.localhost", "http://127.8.9.1", "http://[::1]:1/mcp"])(
    "are always those of the own machine: %s",
    (address) => expect(isDirect("a.example", address)).toBe(true),
  );

  it("are none if a proxy was named for the address itself", () => {
    const choose = createProxyChoice({ http: "http://proxy:1" });
    expect(choose(new URL("http://127.0.0.1:2"))?.host).toBe("proxy:1");
  });
});
