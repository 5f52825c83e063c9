// Requests to a service on loopback, for the tests of the network.

import { closeAfterTest, openUpstream } from "@recourse/test-kit/fixtures";
import type { UpstreamAnswer } from "@recourse/test-kit/loopback";
import { createNetwork, type HttpSendOptions, type Network } from "../src/network/create-network.ts";
import type { ExchangeResult } from "../src/network/exchange.ts";
import type { NetworkOptions } from "../src/network/limits.ts";
import type { ApiRequest } from "../src/request/build-request.ts";

/** A network that may reach loopback. */
export function createTestNetwork(options: NetworkOptions = {}): Network {
  return closeAfterTest(createNetwork({ allowPrivate: true, ...options }));
}

/** Sends one request to a service with this answer. */
export async function ask(answer: UpstreamAnswer, network?: NetworkOptions, options?: HttpSendOptions) {
  const upstream = await openUpstream(answer);
  const ended = await createTestNetwork(network).send(get(upstream.url), options);
  return { ended, summary: summaryOf(ended), text: replyText(ended), hits: upstream.hits };
}

/** A request. */
export function get(url: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: "GET", url: new URL(url), headers: {}, ...more };
}

/** The body of a reply. */
export function replyText(ended: ExchangeResult): string {
  return ended.ok ? Buffer.from(ended.reply.body).toString() : `no answer: ${ended.failure.code}`;
}

/** The result of an exchange without its cause. */
export function summaryOf(ended: ExchangeResult): unknown {
  return ended.ok
    ? { status: ended.reply.status, bodyError: ended.reply.bodyError }
    : { code: ended.failure.code, sent: ended.failure.sent };
}
