import { content, type Fault, protocol } from "@recourse/faults";
import type { GatewayConfig } from "../../config/types.ts";
import { AddressLimit } from "../../edge/address-limit.ts";
import type { RequestHead } from "../../edge/head.ts";
import { sourceCheck } from "../../edge/source.ts";
import type { Step } from "../step.ts";

const SESSION_ID = /^[\x21-\x7e]+$/;

/** Checks what the first lines of a request say: method, content type, session, Host, Origin; limits its address. */
export function checkHead(config: GatewayConfig, now: () => number = () => performance.now()): Step {
  const checkSource = sourceCheck(config);
  const { limits } = config;
  const addresses = limits.address === undefined ? undefined : new AddressLimit(limits.address, now);
  return ({ origin: { head } }) =>
    checkSource(head) ??
    addresses?.take(head.address) ??
    checkMethod(head) ??
    checkContentType(head) ??
    checkSession(head);
}

function checkMethod({ method }: RequestHead): Fault | undefined {
  return method === "POST" ? undefined : protocol.http_method.fault();
}

/** The id of a session has no spaces. Two of them do, since repeated headers are joined, and nobody knows which one counts. */
function checkSession(head: RequestHead): Fault | undefined {
  const id = head.header("mcp-session-id");
  return id === undefined || SESSION_ID.test(id) ? undefined : protocol.bad_request.fault();
}

/** A message is JSON and says so: pages of any site can send other types without asking first. */
function checkContentType(head: RequestHead): Fault | undefined {
  const sent = head.header("content-type");
  if (sent === "application/json") return undefined;
  const type = sent?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return undefined;
  // The slot shows only what is a media type by its grammar.
  return content.invalid_type.fault(type === undefined ? {} : { contentType: type });
}
