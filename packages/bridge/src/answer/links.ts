import type { ReplyHeaders } from "../network/reply.ts";
import { headerAt } from "./body.ts";

/** The address of the next page in a `Link` header, as it is written there. */
export function nextLink(headers: ReplyHeaders): string | undefined {
  const text = [headers["link"] ?? []].flat().join(", ").slice(0, 8_192);
  for (const [, address, params = ""] of text.matchAll(
    /<([^<>]{1,2048})>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s",;]+))*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel=(?:"([^"]*)"|([^\s",;]+))/i.exec(params) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next")) return address;
  }
  return undefined;
}

/** The address that an answer refers to, as it is written there. */
export function locationOf(headers: ReplyHeaders): string | undefined {
  return headerAt(headers, "operation-location") ?? headerAt(headers, "location");
}
