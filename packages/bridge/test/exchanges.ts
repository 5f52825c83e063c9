// Requests to a service on loopback, for the tests of the network.
import { afterEach } from "vitest";
import type { Exchanged } from "../src/network/exchange.ts";
import type { NetworkOptions } from "../src/network/limits.ts";
import { createNetwork, type Network } from "../src/network/network.ts";
import type { HttpRequest } from "../src/request/request.ts";
import { type Answer, startUpstream, type Upstream } from "./upstream.ts";

/** What is open, in the order in which it is closed after each test. */
export const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A service that answers so. */
export async function serving(answer: Answer): Promise<Upstream> {
  const upstream = await startUpstream(answer);
  open.unshift(upstream);
  return upstream;
}

/** A network that may reach it. */
export function network(options: NetworkOptions = {}): Network {
  const made = createNetwork({ allowPrivate: true, ...options });
  open.push(made);
  return made;
}

/** A request. */
export function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: "GET", url: new URL(url), headers: {}, ...more };
}

/** The body of an answer. */
export function textOf(ended: Exchanged): string {
  return ended.ok ? Buffer.from(ended.reply.body).toString() : `no answer: ${ended.failure.why}`;
}

/** What is told about an end without its cause. */
export function told(ended: Exchanged): unknown {
  return ended.ok
    ? { status: ended.reply.status, flaw: ended.reply.flaw }
    : { why: ended.failure.why, sent: ended.failure.sent };
}
