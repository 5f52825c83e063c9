import { expect, test } from "vitest";
import { isNetwork } from "./checks.ts";

test.each([
  ["10.0.0.1", true],
  ["10.0.0.0/8", true],
  ["::1", true],
  ["2001:db8::/32", true],
  ["0.0.0.0/0", false],
  ["::/0", false],
  ["10.0.0.0/33", false],
  ["::/129", false],
  ["10.0.0.0/08", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/8/8", false],
  ["10.0.0", false],
  ["fe80::1%eth0", false],
  ["proxy.internal", false],
  ["", false],
])("%s as a proxy of the configuration: %s", (text, isAccepted) => {
  expect(isNetwork(text)).toBe(isAccepted);
});
