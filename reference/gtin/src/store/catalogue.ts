import type { Database, Rows } from "@recourse/reference-ground";
import type { Link, Linked } from "../links/link.ts";

/** A product as people read about it. */
interface Product {
  readonly gtin: string;
  readonly name: string;
  readonly brand: string;
  readonly netContent?: string;
}

/** The products and their links. */
export interface Catalogue {
  product(gtin: string): Promise<Product | undefined>;
  linked(gtin: string): Promise<Linked | undefined>;
}

const PRODUCT = "select gtin, name, brand, net_content from product where gtin = $1";
const LINKED = `
  select product.gtin, product.name, link.id, link.link_type, link.href, link.title, link.media_type,
         link.languages, link.is_default, link.forwards_query
  from product left join link using (gtin)
  where product.gtin = $1
  order by link.id`;

/** The catalogue in the database. */
export function catalogueIn(database: Database): Catalogue {
  return {
    async product(gtin) {
      const [row] = await database.read(PRODUCT, [gtin]);
      return row === undefined ? undefined : productOf(row);
    },
    async linked(gtin) {
      const rows = await database.read(LINKED, [gtin]);
      const [first] = rows;
      if (first === undefined) return undefined;
      const links = rows.filter((row) => row["id"] !== null).map(linkOf);
      return { gtin, name: String(first["name"]), links };
    },
  };
}

function productOf(row: Rows[number]): Product {
  const { gtin, name, brand, net_content: netContent } = row;
  const core = { gtin: String(gtin), name: String(name), brand: String(brand) };
  return typeof netContent === "string" ? { ...core, netContent } : core;
}

function linkOf(row: Rows[number]): Link {
  const { media_type: mediaType } = row;
  return {
    linkType: String(row["link_type"]),
    href: String(row["href"]),
    title: String(row["title"]),
    ...(typeof mediaType === "string" && { mediaType }),
    languages: row["languages"] as readonly string[],
    isDefault: row["is_default"] === true,
    forwardsQuery: row["forwards_query"] === true,
  };
}
