import { expect, test } from "vitest";
import { toLinkset } from "./linkset.ts";

test("links are grouped by type, and the default link has only href and title", () => {
  const common = { href: "https://example.com/a", title: "A", isDefault: false, forwardsQuery: true, languages: [] };
  const product = {
    gtin: "09520123456788",
    name: "Oats",
    links: [
      { ...common, linkType: "gs1:pip", isDefault: true, mediaType: "text/html", languages: ["en"] },
      { ...common, linkType: "gs1:pip", title: "B", forwardsQuery: false },
    ],
  };
  expect(toLinkset(product, "https://id.example.com/01/09520123456788")).toEqual({
    linkset: [
      {
        anchor: "https://id.example.com/01/09520123456788",
        itemDescription: "Oats",
        "https://ref.gs1.org/voc/defaultLink": [{ href: "https://example.com/a", title: "A" }],
        "https://ref.gs1.org/voc/pip": [
          { href: "https://example.com/a", title: "A", type: "text/html", hreflang: ["en"] },
          { href: "https://example.com/a", title: "B", fwqs: false },
        ],
      },
    ],
  });
});
