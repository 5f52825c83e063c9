import { describe, expect, it } from "vitest";
import {
  hostTest,
  isLoopbackAddress,
  isLoopbackName,
  isLoopbackOrigin,
  originTest,
  readHost,
  staysLocal,
} from "./host.ts";

describe("a Host header", () => {
  it.each([
    ["localhost", "localhost", undefined],
    ["LOCALHOST:3000", "localhost", "3000"],
    ["localhost.", "localhost", undefined],
    ["localhost:", "localhost", undefined],
    ["127.0.0.1:80", "127.0.0.1", "80"],
    ["127.1", "127.0.0.1", undefined],
    ["[::1]:3000", "[::1]", "3000"],
    ["[0:0:0:0:0:0:0:1]", "[::1]", undefined],
    ["xn--bcher-kva.example", "xn--bcher-kva.example", undefined],
    ["a_b.example", "a_b.example", undefined],
  ])("%s is read", (header, name, port) => {
    expect(readHost(header)).toEqual({ name, port });
  });

  it.each([
    "",
    "user@localhost",
    "localhost\\x",
    "localhost,evil.example",
    "localhost:80:80",
    "localhost:123456",
    "::1",
    "[::1",
    "[::1%25lo]",
    "%6cocalhost",
    "local\u00adhost",
    "ｌocalhost",
    "http://localhost",
    ".",
    "a..b<",
    "x".repeat(400),
  ])("%j is none", (header) => {
    expect(readHost(header)).toBeUndefined();
  });
});

const host = (text: string) => readHost(text) ?? expect.unreachable();

it("knows the own machine by name and by address", () => {
  expect(["localhost", "127.0.0.1:1", "[::1]:1", "Localhost."].map((text) => isLoopbackName(host(text)))).toEqual(
    Array(4).fill(true),
  );
  expect(
    ["localhost.evil.example", "evil-localhost", "0.0.0.0", "[::]", "127.0.0.2", "10.0.0.1"].map((text) =>
      isLoopbackName(host(text)),
    ),
  ).toEqual(Array(6).fill(false));
  expect(["0.0.0.0", "[::]", "0"].map((text) => staysLocal(host(text)))).toEqual([true, true, true]);
  expect(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"].map(isLoopbackAddress)).toEqual(Array(4).fill(true));
  expect(["10.0.0.1", "::", "::ffff:10.0.0.1", "127.0.0.1.evil", "fe80::1"].map(isLoopbackAddress)).toEqual(
    Array(5).fill(false),
  );
});

describe("allowedHosts", () => {
  it.each([
    ["api.example.com", "API.example.com.:8443", true],
    ["api.example.com:8443", "api.example.com:8443", true],
    ["api.example.com:8443", "api.example.com", false],
    ["api.example.com:443", "api.example.com", true],
    ["api.example.com", "api.example.com.evil.example", false],
    ["bücher.example", "xn--bcher-kva.example", true],
    ["[::1]", "[::1]:3000", true],
  ])("%s and the header %s", (entry, header, passes) => {
    expect(hostTest([entry])(host(header))).toBe(passes);
  });

  it.each(["https://api.example.com", "*.example.com", "*", "", "a/b"])(
    "says at once that %j is a mistake",
    (entry) => {
      expect(() => hostTest([entry])).toThrow(TypeError);
    },
  );
});

describe("allowedOrigins", () => {
  it.each([
    ["https://app.example.com", "https://app.example.com", true],
    ["https://APP.example.com:443", "https://app.example.com", true],
    ["https://app.example.com", "http://app.example.com", false],
    ["https://app.example.com", "https://app.example.com:8443", false],
    ["https://app.example.com", "https://app.example.com.evil.example", false],
    ["https://app.example.com", "https://app.example.com/", false],
    ["https://app.example.com", "https://app.example.com@evil.example", false],
    ["https://app.example.com", "https://app.example.com, https://evil.example", false],
    ["https://app.example.com", "null", false],
    ["https://app.example.com", "", false],
    ["app.example.com", "http://app.example.com:8080", true],
    ["app.example.com", "chrome-extension://app.example.com", false],
    ["chrome-extension://abcdefgh", "chrome-extension://abcdefgh", true],
    ["null", "null", true],
    ["null", "https://null", false],
  ])("%s and the header %s", (entry, header, passes) => {
    expect(originTest([entry])(header)).toBe(passes);
  });

  it.each(["*", "https://*.example.com", "https://", "https://a/b"])("says at once that %j is a mistake", (entry) => {
    expect(() => originTest([entry])).toThrow(TypeError);
  });

  it("has the own machine as its default there", () => {
    expect(["http://localhost:6274", "https://127.0.0.1", "http://[::1]:1"].map(isLoopbackOrigin)).toEqual(
      Array(3).fill(true),
    );
    expect(
      ["null", "", "https://evil.example", "chrome-extension://localhost", "http://localhost.evil.example"].map(
        isLoopbackOrigin,
      ),
    ).toEqual(Array(5).fill(false));
  });
});
