import type { Link } from "../links/link.ts";

/** Parameters that are meant for the resolver and not for where it leads. */
const OWN = new Set(["linkType", "context"]);

/** Where a link leads: what the request asked beyond the resolver's own parameters is handed on, unless the link refuses it. */
export function targetOf({ href, forwardsQuery }: Link, asked: URL): string {
  if (!forwardsQuery) return href;
  const target = new URL(href);
  for (const [name, value] of asked.searchParams) if (!OWN.has(name)) target.searchParams.append(name, value);
  return target.href;
}
