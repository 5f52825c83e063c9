import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";

const PRIVATE_RANGES = [
  ...`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/),
  ..."100::/64 2001:db8::/32 fc00::/7 fe80::/10 fec0::/10 ff00::/8".split(" "),
  // These contain an IPv4 address, at a place that only their network knows or in a form that nobody uses any more.
  ..."::/96 64:ff9b:1::/48 2001::/32 2002::/16".split(" "),
];

/** IPv6 addresses that end in the IPv4 address that a translator on the way connects to (RFC 6052 and RFC 2765). */
const TRANSLATED_RANGES = ["64:ff9b::/96", "::ffff:0:0:0/96"] as const;

/**
 * Private addresses that may be reached: all with `true`, or those in ranges such as `10.1.0.0/16`. With `from-start` those
 * of a host that had one at its first look-up, and those that are written in an address: a public host stays public.
 */
export type AllowPrivate = boolean | readonly string[] | "from-start";

/** Whether an address may be reached; false for a text that is not an address. */
export type AddressCheck = (address: string) => boolean;

/** Makes the check for addresses. Throws for an invalid range, so that a typing error opens nothing. */
export function createAddressCheck(allowPrivate: Exclude<AllowPrivate, string> = false): AddressCheck {
  const refused = createBlockList(PRIVATE_RANGES);
  const translated = createBlockList(TRANSLATED_RANGES);
  const allowed = createBlockList(typeof allowPrivate === "boolean" ? [] : allowPrivate);
  return (address) => {
    // A zone names a network interface of this machine; public addresses have none.
    if (isIP(address) === 0 || address.includes("%")) return allowPrivate === true && isIP(address) !== 0;
    if (allowPrivate === true || allowed.check(address, addressFamily(address))) return true;
    const target = translated.check(address, addressFamily(address)) ? lastIpv4(address) : address;
    // The lists also recognise IPv4 addresses that are written as IPv6.
    return allowed.check(target, addressFamily(target)) || !refused.check(target, addressFamily(target));
  };
}

export interface HostCheck {
  readonly literal: AddressCheck;
  /** Whether a host name may be reached at the addresses that it has now. */
  resolved(hostname: string, addresses: readonly string[]): boolean;
}

export function createHostCheck(allowPrivate: AllowPrivate = false): HostCheck {
  if (allowPrivate !== "from-start") {
    const isAllowed = createAddressCheck(allowPrivate);
    return { literal: isAllowed, resolved: (_, addresses) => addresses.every(isAllowed) };
  }
  const isPublic = createAddressCheck(false);
  const isAddress = createAddressCheck(true);
  /** Hosts that were public at their first look-up. The operator has named them, so there are few. */
  const isPublicHost = new Map<string, boolean>();
  return {
    literal: isAddress,
    resolved(hostname, addresses) {
      if (!addresses.every(isAddress)) return false;
      const isPublicNow = addresses.every(isPublic);
      const wasPublic = isPublicHost.get(hostname) ?? isPublicNow;
      isPublicHost.set(hostname, wasPublic);
      return isPublicNow || !wasPublic;
    },
  };
}

function addressFamily(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function lastIpv4(address: string): string {
  // The platform writes an address in one way, without dots and with at least two groups at its end.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  return groups
    .map((group) => Number.parseInt(group || "0", 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    const family = isIP(network) === 4 ? "ipv4" : "ipv6";
    if (isIP(network) === 0 || !/^\d{1,3}$/.test(bits))
      throw new TypeError(`not a range of addresses: ${range}. Write ranges of network.allowPrivate as 10.1.0.0/16`);
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** The address in the host of a URL, without brackets; undefined for a host name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/** Resolves a host name to all its addresses. */
export type ResolveHostname = (hostname: string) => Promise<readonly string[]>;

/** A host name has an address that may not be reached. The message does not name the address. */
export class AddressNotAllowed extends Error {
  override readonly name = "AddressNotAllowed";

  constructor() {
    super("the host has an address that is not allowed");
  }
}

export async function systemResolve(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/**
 * The look-up for connections. It connects to the very addresses that were checked: a second resolution could give others.
 * One address that is not allowed refuses the host.
 */
export function checkedLookup(resolve: ResolveHostname, isAllowed: HostCheck["resolved"]): LookupFunction {
  return (hostname, options, done) => {
    const answer = async () => {
      const addresses = await resolve(hostname);
      if (addresses.length === 0 || !isAllowed(hostname, addresses)) throw new AddressNotAllowed();
      return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    };
    answer().then(
      (found) => (options.all === true ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family)),
      (error: unknown) => done(error as NodeJS.ErrnoException, ""),
    );
  };
}
