import { expect, test } from "vitest";
import { readHosts } from "./hosts.ts";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

test.each([
  [undefined, LOCAL],
  ["", LOCAL],
  ["api.example.com", [...LOCAL, "api.example.com"]],
  [" a.example , b.example:8443,", [...LOCAL, "a.example", "b.example:8443"]],
])("%j", (listed, hosts) => {
  expect(readHosts(listed)).toEqual(hosts);
});
