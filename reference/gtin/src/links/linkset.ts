import { fullLinkType, type Link, type Linked } from "./link.ts";

/** The media type of a linkset (RFC 9264). */
export const LINKSET = "application/linkset+json";

interface Target {
  readonly href: string;
  readonly title: string;
  readonly type?: string;
  readonly hreflang?: readonly string[];
  readonly fwqs?: false;
}

/** All links of a product as GS1 writes them; `anchor` is the address of the product. */
export function linksetOf(product: Linked, anchor: string): object {
  const byType: Record<string, Target[]> = {};
  for (const link of product.links) {
    // The default link says where it leads and what it is called, and nothing else.
    if (link.isDefault) byType[fullLinkType("gs1:defaultLink")] = [{ href: link.href, title: link.title }];
    const type = fullLinkType(link.linkType);
    byType[type] = [...(byType[type] ?? []), targetOf(link)];
  }
  return { linkset: [{ anchor, itemDescription: product.name, ...byType }] };
}

function targetOf({ href, title, mediaType, languages, forwardsQuery }: Link): Target {
  return {
    href,
    title,
    ...(mediaType !== undefined && { type: mediaType }),
    ...(languages.length > 0 && { hreflang: languages }),
    ...(!forwardsQuery && { fwqs: false }),
  };
}
