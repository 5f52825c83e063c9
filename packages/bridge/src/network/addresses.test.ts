import { openUpstream } from "@recourse/test-kit/fixtures";
import { describe, expect, test } from "vitest";
import { createTestNetwork, get, replyText, summaryOf } from "../../test/test-network.ts";
import { createAddressCheck, createHostCheck, literalAddress } from "./addresses.ts";

const PRIVATE =
  `0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8
  192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:: 64:ff9b:1::1 64:ff9b:1::8.8.8.8
  ::ffff:0:127.0.0.1 ::ffff:0:a9fe:a9fe 0:0:0:0:FFFF:0:0a00:0001 ::ffff:0:0:0 ::8.8.8.8 2001:0:7f00:1::
  2001:0:808:808:: 2002:7f00:1:: 2002:808:808:: fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 ff02::1`.split(/\s+/);
const PUBLIC =
  "1.1.1.1 8.8.8.8 100.63.255.255 172.32.0.1 2606:4700:4700::1111 ::ffff:1.1.1.1 ::ffff:0:1.1.1.1 64:ff9b::8.8.8.8".split(
    " ",
  );

describe("without permission", () => {
  const isAllowed = createAddressCheck();

  test.each(PRIVATE)("%s is refused", (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  test.each(PUBLIC)("%s is reached", (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  test.each(["", "localhost", "127.1", "0x7f.1", "2130706433", "[::1]"])(
    "%j is not an address and is refused",
    (text) => {
      expect(isAllowed(text)).toBe(false);
    },
  );
});

test("a range allows its own addresses only", () => {
  const isAllowed = createAddressCheck(["10.1.0.0/16", "fd00:1::/32"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "::ffff:0:10.1.2.3", "fd00:1::5", "8.8.8.8"])
    expect(isAllowed(address), address).toBe(true);
  for (const address of ["10.2.0.1", "::ffff:0:10.2.0.1", "127.0.0.1", "fd00:2::5"])
    expect(isAllowed(address), address).toBe(false);
});

test("true allows all addresses, but no text that is not an address", () => {
  const isAllowed = createAddressCheck(true);
  expect(["127.0.0.1", "::1", "fe80::1%lo", "localhost"].map(isAllowed)).toEqual([true, true, true, false]);
});

test.each(["10.0.0.0", "ten/8", "10.0.0.0/x", "", "10.0.0.0/33"])("the invalid range %j throws", (range) => {
  expect(() => createAddressCheck([range])).toThrow(/range|prefix/);
});

test("finds addresses in the host of a URL in every spelling", () => {
  const hosts = ["2130706433", "0x7f.1", "①②⑦.0.0.1", "[::1]", "[::ffff:7f00:1]", "example.com", "localhost."];
  const found = hosts.map((host) => literalAddress(new URL(`http://${host}/`).hostname));
  const loopback = "127.0.0.1";
  expect(found).toEqual([loopback, loopback, loopback, "::1", "::ffff:7f00:1", undefined, undefined]);
});

describe("addresses", () => {
  test("are connected to without a second resolution", async () => {
    const upstream = await openUpstream((hit, response) => response.end(hit.headers["host"] as string));
    const asked: string[] = [];
    const lookup = async (name: string) => [asked.push(name) === 1 ? "127.0.0.1" : "203.0.113.9"];
    const { port } = new URL(upstream.url);
    expect(replyText(await createTestNetwork({ lookup }).send(get(`http://api.example:${port}`)))).toBe(
      `api.example:${port}`,
    );
    expect(asked).toEqual(["api.example"]);
  });

  test.each([
    ["none", []],
    ["no address", ["localhost"]],
  ])("are refused: %s", async (_, found) => {
    const upstream = await openUpstream((_hit, response) => response.end());
    const { port } = new URL(upstream.url);
    const ended = await createTestNetwork({ allowPrivate: false, lookup: async () => found }).send(
      get(`http://api.example:${port}`),
    );
    expect(summaryOf(ended)).toEqual({ code: "address_not_allowed", sent: false });
    expect(upstream.hits).toHaveLength(0);
  });
});

describe("hosts with from-start", () => {
  test("one that begins as a private one stays reachable, and may become public", () => {
    const { resolved } = createHostCheck("from-start");
    expect(resolved("crm.internal", ["10.0.0.1", "1.1.1.1"])).toBe(true);
    expect(resolved("crm.internal", ["10.0.0.2"])).toBe(true);
    expect(resolved("crm.internal", ["1.1.1.1"])).toBe(true);
  });

  test("one that begins as a public one is never reached at a private address", () => {
    const { resolved } = createHostCheck("from-start");
    expect(resolved("api.example", ["1.1.1.1"])).toBe(true);
    expect(resolved("api.example", ["127.0.0.1"])).toBe(false);
    expect(resolved("api.example", ["1.1.1.1", "169.254.169.254"])).toBe(false);
    expect(resolved("api.example", ["1.1.1.2"])).toBe(true);
    expect(resolved("other.example", ["127.0.0.1"])).toBe(true);
  });

  test("what is no address is refused, and decides nothing", () => {
    const { resolved } = createHostCheck("from-start");
    expect(resolved("api.example", ["localhost"])).toBe(false);
    expect(resolved("api.example", ["1.1.1.1"])).toBe(true);
    expect(resolved("api.example", ["127.0.0.1"])).toBe(false);
  });

  test("an address that is written in the URL is reached", async () => {
    const upstream = await openUpstream((_hit, response) => response.end());
    const ended = await createTestNetwork({ allowPrivate: "from-start" }).send(get(upstream.url));
    expect(ended.ok).toBe(true);
  });
});
