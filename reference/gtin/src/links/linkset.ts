import { fullLinkType, type Link, type LinkedProduct } from "./choose-links.ts";

/** The media type of a linkset (RFC 9264). */
export const LINKSET = "application/linkset+json";

interface Target {
  readonly href: string;
  readonly title: string;
  readonly type?: string;
  readonly hreflang?: readonly string[];
  readonly fwqs?: false;
}

/** The linkset of a product. `anchor` is the address of the product. */
export function toLinkset(product: LinkedProduct, anchor: string): object {
  const byType: Record<string, Target[]> = {};
  for (const link of product.links) {
    // GS1 allows only href and title for the default link.
    if (link.isDefault) byType[fullLinkType("gs1:defaultLink")] = [{ href: link.href, title: link.title }];
    const type = fullLinkType(link.linkType);
    byType[type] = [...(byType[type] ?? []), toTarget(link)];
  }
  return { linkset: [{ anchor, itemDescription: product.name, ...byType }] };
}

function toTarget({ href, title, mediaType, languages, forwardsQuery }: Link): Target {
  return {
    href,
    title,
    ...(mediaType !== undefined && { type: mediaType }),
    ...(languages.length > 0 && { hreflang: languages }),
    ...(!forwardsQuery && { fwqs: false }),
  };
}
