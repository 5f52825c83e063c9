import type { Database, Rows } from "@recourse/reference-shared";
import type { Link, LinkedProduct } from "../links/choose-links.ts";

/** A product of the catalogue. */
interface Product {
  readonly gtin: string;
  readonly name: string;
  readonly brand: string;
  readonly netContent?: string;
}

/** The catalogue of products. */
export interface Catalogue {
  product(gtin: string): Promise<Product | undefined>;
  linked(gtin: string): Promise<LinkedProduct | undefined>;
}

const PRODUCT_BY_GTIN = "select gtin, name, brand, net_content from product where gtin = $1";
const PRODUCT_WITH_LINKS = `
  select product.gtin, product.name, link.id, link.link_type, link.href, link.title, link.media_type,
         link.languages, link.is_default, link.forwards_query
  from product left join link using (gtin)
  where product.gtin = $1
  order by link.id`;

/** Creates the catalogue on a database. */
export function createCatalogue(database: Database): Catalogue {
  return {
    async product(gtin) {
      const [row] = await database.read(PRODUCT_BY_GTIN, [gtin]);
      return row === undefined ? undefined : toProduct(row);
    },
    async linked(gtin) {
      const rows = await database.read(PRODUCT_WITH_LINKS, [gtin]);
      const [first] = rows;
      if (first === undefined) return undefined;
      const links = rows.filter((row) => row["id"] !== null).map(toLink);
      return { gtin, name: String(first["name"]), links };
    },
  };
}

function toProduct(row: Rows[number]): Product {
  const { gtin, name, brand, net_content: netContent } = row;
  const core = { gtin: String(gtin), name: String(name), brand: String(brand) };
  return typeof netContent === "string" ? { ...core, netContent } : core;
}

function toLink(row: Rows[number]): Link {
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
