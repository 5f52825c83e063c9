import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { callerAddress } from "./caller-address.ts";

const PROXIES = ["10.0.0.0/8", "2001:db8:ffff::/48", "192.0.2.10"];

test.each([
  ["203.0.113.5", "203.0.113.5"],
  ["::ffff:203.0.113.5", "203.0.113.5"],
  ["2001:db8::7", "2001:db8::7"],
  ["192.0.2.11", "192.0.2.11"],
  ["", ""],
])("from %s, which is no proxy, headers are ignored", (peer, address) => {
  const head = headWith({ "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" });
  expect(callerAddress(peer, head, PROXIES)).toBe(address);
  expect(callerAddress(peer, head, [])).toBe(address);
});

test.each(["10.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1", "2001:db8:ffff::1", "192.0.2.10"])(
  "%s is a proxy, and its header counts",
  (peer) => {
    expect(callerAddress(peer, headWith({ "x-forwarded-for": "198.51.100.1" }), PROXIES)).toBe("198.51.100.1");
  },
);

const PEER = "10.0.0.1";

test.each([
  ["198.51.100.1", "198.51.100.1"],
  ["198.51.100.1:4711", "198.51.100.1"],
  ["2001:DB8:0:0::0001", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:4711", "2001:db8::1"],
  ['"[2001:db8::1]:4711"', "2001:db8::1"],
  ["::ffff:198.51.100.1", "198.51.100.1"],
  ["::FFFF:c633:6401", "198.51.100.1"],
  ["203.0.113.9, 198.51.100.1", "198.51.100.1"],
  ["203.0.113.9,198.51.100.1 , 10.9.9.9,\t10.8.8.8", "198.51.100.1"],
  ["not an address, 198.51.100.1", "198.51.100.1"],
  ['"203.0.113.9, 198.51.100.1', "198.51.100.1"],
  // All are proxies: the farthest one called.
  ["10.7.7.7, 10.8.8.8", "10.7.7.7"],
  // What a proxy wrote is no address: its own counts.
  ["", PEER],
  [",", PEER],
  ["198.51.100.1,", PEER],
  ["unknown", PEER],
  ["198.51.100.1, unknown, 10.8.8.8", "10.8.8.8"],
  ["198.51.100.300", PEER],
  ["198.51.100.1:port", PEER],
  ["198.51.100.1:123456", PEER],
  ["198.051.100.1", PEER],
  ["[198.51.100.1]", PEER],
  ["[2001:db8::1", PEER],
  ["[2001:db8::1]x", PEER],
  ["fe80::1%eth0", PEER],
  ["198.51.100.1 198.51.100.2", PEER],
  ["<script>", PEER],
])("X-Forwarded-For: %s is %s", (value, address) => {
  expect(callerAddress(PEER, headWith({ "x-forwarded-for": value }), PROXIES)).toBe(address);
});

test.each([
  ["for=198.51.100.1", "198.51.100.1"],
  ['For="198.51.100.1:4711";proto=https;by=10.0.0.1', "198.51.100.1"],
  ['for="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"],
  ['for="[2001:db8:cafe::17]:_secret"', "2001:db8:cafe::17"],
  ['for=203.0.113.9, proto=https;for=198.51.100.1;host="a,b", for=10.2.2.2', "198.51.100.1"],
  // A quotation mark that the caller left open does not hide what the proxy wrote.
  ['for=", for=198.51.100.1', "198.51.100.1"],
  ['for=203.0.113.9;x=", for="198.51.100.1"', "198.51.100.1"],
  ["for=unknown", PEER],
  ["for=_hidden", PEER],
  ["proto=https", PEER],
  ["for=198.51.100.1;for=198.51.100.2", PEER],
  ["for=", PEER],
  ["for", PEER],
  ["", PEER],
  ["for=198.51.100.1, for=unknown;by=10.8.8.8, for=10.8.8.8", "10.8.8.8"],
])("Forwarded: %s is %s", (value, address) => {
  expect(callerAddress(PEER, headWith({ forwarded: value }), PROXIES)).toBe(address);
});

test("where both headers are sent, they count only if they agree", () => {
  const agreed = headWith({ forwarded: "for=198.51.100.1", "x-forwarded-for": "203.0.113.9, 198.51.100.1" });
  expect(callerAddress(PEER, agreed, PROXIES)).toBe("198.51.100.1");
  const forged = headWith({ forwarded: "for=203.0.113.9", "x-forwarded-for": "198.51.100.1" });
  expect(callerAddress(PEER, forged, PROXIES)).toBe(PEER);
});

test("long lists cost little: only what the proxies wrote is read", async () => {
  const long = `${"203.0.113.9,".repeat(2_600)}198.51.100.1`;
  const read = (list: string) => () => {
    for (let turn = 0; turn < 1_000; turn++) callerAddress(PEER, headWith({ "x-forwarded-for": list }), PROXIES);
  };
  await expectCost({ work: read(long), yardstick: read("198.51.100.1"), atMost: 12 });
});
