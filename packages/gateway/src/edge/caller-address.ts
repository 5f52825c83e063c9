import { BlockList, isIPv4, isIPv6, SocketAddress } from "node:net";
import type { RequestHead } from "../call/head.ts";

/** Proxies as the configuration names them: addresses, and networks such as `10.0.0.0/8`. */
export type Proxies = readonly string[];

/** Made once for each configuration. */
const lists = new WeakMap<Proxies, BlockList>();

const MAPPED = "::ffff:";

/**
 * The address of the caller: that of the connection, unless it comes from a proxy of the configuration. A proxy writes
 * down whom it serves, behind what it was sent; so the lists are read from their end, and the first address that is no
 * proxy is the caller's. Anyone could have written what stands before it. If a proxy wrote something other than an
 * address, its own address counts.
 */
export function callerAddress(peer: string, head: Pick<RequestHead, "header">, proxies: Proxies): string {
  const address = plainAddress(peer);
  if (proxies.length === 0) return address;
  const trusted = proxyList(proxies);
  if (!isTrusted(trusted, address)) return address;
  const forwarded = head.header("forwarded");
  const forwardedFor = head.header("x-forwarded-for");
  if (forwarded === undefined && forwardedFor === undefined) return address;
  const one = forwarded === undefined ? undefined : walk(trusted, address, forwardedBackwards(forwarded));
  const other = forwardedFor === undefined ? undefined : walk(trusted, address, listBackwards(forwardedFor));
  // A proxy writes one of the two, and passes the other on as the caller sent it. Nobody knows here which one that is.
  if (one !== undefined && other !== undefined && one !== other) return address;
  return one ?? other ?? address;
}

function proxyList(proxies: Proxies): BlockList {
  const known = lists.get(proxies);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const one of proxies) {
    const [address = "", bits] = one.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(proxies, list);
  return list;
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const zone = address.indexOf("%");
  const plain = zone === -1 ? address : address.slice(0, zone);
  return isIPv4(plain) ? trusted.check(plain, "ipv4") : isIPv6(plain) && trusted.check(plain, "ipv6");
}

/** Goes back from the connection, proxy by proxy. If all are proxies, the farthest one is the caller. */
function walk(trusted: BlockList, peer: string, hops: Iterable<string | undefined>): string {
  let nearest = peer;
  for (const hop of hops) {
    const address = hop === undefined ? undefined : readNode(hop);
    if (address === undefined) return nearest;
    if (!isTrusted(trusted, address)) return address;
    nearest = address;
  }
  return nearest;
}

/** The items of `X-Forwarded-For`, the last first. */
function* listBackwards(text: string): Generator<string> {
  let end = text.length;
  while (end >= 0) {
    const comma = end === 0 ? -1 : text.lastIndexOf(",", end - 1);
    yield withoutQuotationMarks(text.slice(comma + 1, end).trim());
    end = comma;
  }
}

/** The `for` of the items of `Forwarded`, the last first; undefined if an item has none, or more than one. */
function* forwardedBackwards(text: string): Generator<string | undefined> {
  let end = text.length;
  while (end >= 0) {
    const comma = commaBefore(text, end);
    const nodes = forwardedNodes(text.slice(comma + 1, end));
    yield nodes.length === 1 ? nodes[0] : undefined;
    end = comma;
  }
}

/** The last comma before a position that is in no quoted string, or -1. */
function commaBefore(text: string, end: number): number {
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) return at;
  }
  return -1;
}

/** The values of all parameters `for` of an item. Addresses contain neither separators nor escapes. */
function forwardedNodes(item: string): string[] {
  return item.split(";").flatMap((part) => {
    const [name = "", value] = part.split("=", 2);
    return name.trim().toLowerCase() === "for" && value !== undefined ? [withoutQuotationMarks(value.trim())] : [];
  });
}

function withoutQuotationMarks(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

const PORT = /^(?::(?:\d{1,5}|_[A-Za-z0-9._-]+))?$/;

/** The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`. */
function readNode(text: string): string | undefined {
  if (text.startsWith("[")) {
    const close = text.indexOf("]");
    const inside = text.slice(1, close);
    return close > 0 && PORT.test(text.slice(close + 1)) && isIPv6(inside) ? headerAddress(inside) : undefined;
  }
  if (isIPv6(text)) return headerAddress(text);
  const colon = text.indexOf(":");
  const address = colon === -1 ? text : text.slice(0, colon);
  return isIPv4(address) && PORT.test(text.slice(address.length)) ? address : undefined;
}

/** The zone of another machine means nothing here. */
function headerAddress(address: string): string | undefined {
  if (address.includes("%")) return undefined;
  return plainAddress(new SocketAddress({ address, family: "ipv6" }).address);
}

/** A socket for both families writes IPv4 addresses in the form of IPv6. */
function plainAddress(address: string): string {
  return address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length)) ? address.slice(MAPPED.length) : address;
}
