import type { Fault } from "@recourse/core";
import { auth, content, protocol } from "@recourse/core/reasons";
import { hostTest, isLoopbackName, isLoopbackOrigin, isSentLocally, originTest, readHost } from "@recourse/core/wire";
import type { CallOrigin, Step } from "../call/call.ts";
import type { RequestHead } from "../call/head.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { AddressLimit } from "./address-limit.ts";
import { discardRequestBody } from "./body.ts";
import { createPageFinder, ENDPOINT_METHODS, isPreflight, pageHeaders, preflightHeaders } from "./cors.ts";
import type { HttpOrigin } from "./http-origin.ts";

const SESSION_ID_FORM = /^[\x21-\x7e]+$/;

/** Checks what the first lines of a request say: method, content type, session, Host, Origin; limits its address. */
export function checkHead(config: GatewayConfig, addresses: AddressLimit | undefined): Step {
  const checkSource = createSourceChecker(config);
  const findPage = createPageFinder(config);
  const allowPage = (origin: CallOrigin) => {
    const page = origin.head.header("origin") === undefined ? undefined : findPage(origin.head);
    if (page !== undefined) origin.allowPage?.(page);
    return undefined;
  };
  return ({ origin, origin: { head } }) =>
    checkSource(head) ??
    allowPage(origin) ??
    addresses?.take(head.address) ??
    checkMethod(head) ??
    checkStream(head) ??
    checkJsonContent(head) ??
    checkSession(head);
}

function checkMethod({ method }: RequestHead): Fault | undefined {
  return method === "POST" || ENDPOINT_METHODS.includes(method) ? undefined : protocol.http_method.fault();
}

/** Streams are for sessions, and only who reads them is given one. */
function checkStream(head: RequestHead): Fault | undefined {
  if (head.method !== "GET") return undefined;
  const isStream = head.header("accept")?.includes("text/event-stream") === true;
  return isStream && head.header("mcp-session-id") !== undefined ? undefined : protocol.http_method.fault();
}

/** The id of a session has no spaces. Two of them do, since repeated headers are joined, and nobody knows which one counts. */
function checkSession(head: RequestHead): Fault | undefined {
  const id = head.header("mcp-session-id");
  return id === undefined || SESSION_ID_FORM.test(id) ? undefined : protocol.bad_request.fault();
}

/** A message is JSON and says so: pages of any site can send other types without asking first. */
function checkJsonContent(head: RequestHead): Fault | undefined {
  const sent = head.header("content-type");
  // Other methods have no message.
  if (sent === "application/json" || head.method !== "POST") return undefined;
  const type = sent?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return undefined;
  // The slot shows only what is a media type by its grammar.
  return content.invalid_type.fault(type === undefined ? {} : { contentType: type });
}

/** How many names are remembered once they were found in order. */
const MAX_KNOWN_SOURCES = 100;

/**
 * Makes the check of `Host` and `Origin`, against DNS rebinding and requests of other sites. Requests to a loopback
 * address are answered for names and pages of the same machine only, unless the configuration says more. It throws if
 * an option is not valid.
 */
export function createSourceChecker({
  hosts,
  origins,
}: Pick<GatewayConfig, "hosts" | "origins">): (head: RequestHead) => Fault | undefined {
  const allowsHost = hosts === undefined || hosts === "any" ? undefined : hostTest(hosts);
  const allowsOrigin = origins === undefined || origins === "any" ? undefined : originTest(origins);
  /** Reading a host makes a URL of it, and nearly all requests name the same one. */
  const known = new Map<string, ReturnType<typeof readHost>>();

  return (head) => {
    const text = head.header("host") ?? "";
    const host = hostOf(text);
    const isLocal = isSentLocally(head.localAddress, host);
    if (hosts !== "any") {
      if (host === undefined) return auth.access_denied.fault();
      if (allowsHost !== undefined ? !allowsHost(host) : isLocal && !isLoopbackName(host)) {
        return auth.access_denied.fault();
      }
    }
    // Repeated headers are joined. Of two hosts, another program may take the other one.
    if (text.includes(",")) return auth.access_denied.fault();
    const origin = head.header("origin");
    if (origin === undefined || origins === "any") return undefined;
    const passes = allowsOrigin !== undefined ? allowsOrigin(origin) : !isLocal || isLoopbackOrigin(origin);
    return passes ? undefined : auth.access_denied.fault();
  };

  function hostOf(text: string): ReturnType<typeof readHost> {
    const before = known.get(text);
    if (before !== undefined) return before;
    const host = readHost(text);
    if (host !== undefined && known.size < MAX_KNOWN_SOURCES) known.set(text, host);
    return host;
  }
}

/**
 * Makes what answers browsers that ask what a page may send. They ask without credentials, so nobody is authenticated; the
 * limit for addresses counts. It gives false for what is refused like any other request: a page that is not served, an address
 * over its limit, an `OPTIONS` request that asks nothing.
 */
export function createPreflight(
  config: Pick<GatewayConfig, "hosts" | "origins">,
  addresses: AddressLimit | undefined,
): (origin: HttpOrigin) => boolean {
  const checkSource = createSourceChecker(config);
  const findPage = createPageFinder(config);
  return ({ head, incoming, outgoing }) => {
    if (!isPreflight(head) || checkSource(head) !== undefined) return false;
    const allowedOrigin = findPage(head);
    if (allowedOrigin === undefined || addresses?.take(head.address) !== undefined) return false;
    const asked = preflightHeaders(head, { allowedOrigin, methods: ENDPOINT_METHODS });
    outgoing.writeHead(204, { ...pageHeaders(allowedOrigin), ...asked, "cache-control": "no-store" });
    outgoing.end();
    if (!incoming.complete) discardRequestBody(incoming);
    return true;
  };
}
