import { BlockList, isIP, isIPv4 } from "node:net";

/** Ranges that are no part of the public internet: a request into them reaches what only insiders should reach. */
const PRIVATE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // These hold an IPv4 address that somebody on the way would take out again.
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  "100::/64",
  "2001:db8::/32",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
] as const;

/** Private addresses that may be reached all the same: all of them, or those in ranges such as `10.1.0.0/16`. */
export type AllowPrivate = boolean | readonly string[];

/** Tells whether an address may be reached; what is no address may not. */
export type AddressCheck = (address: string) => boolean;

/** Makes the check for addresses; a range that is none throws, since a typing error must not open anything. */
export function addressCheck(allowPrivate: AllowPrivate = false): AddressCheck {
  const refused = listOf(PRIVATE);
  const allowed = listOf(typeof allowPrivate === "boolean" ? [] : allowPrivate);
  return (address) => {
    // A zone leads to a link of this machine; no address of the internet has one.
    if (isIP(address) === 0 || address.includes("%")) return allowPrivate === true && isIP(address) !== 0;
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    // The list sees an IPv4 address in its IPv6 form, too.
    return allowPrivate === true || allowed.check(address, family) || !refused.check(address, family);
  };
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    const family = isIP(network) === 4 ? "ipv4" : "ipv6";
    if (isIP(network) === 0 || !/^\d{1,3}$/.test(bits)) throw new TypeError(`not a range of addresses: ${range}`);
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** The address that a host of a URL is, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}
