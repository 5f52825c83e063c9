import { describe, expect, test } from "vitest";
import { parseDigitalLink } from "./parse.ts";

const GTIN = "09520123456788";
const AT = `https://id.example.com/01/${GTIN}`;

describe("read", () => {
  test.each([
    [AT, {}, {}],
    [`${AT}/`, {}, {}],
    [`http://example.com/some/stem/01/${GTIN}`, {}, {}],
    [`HTTPS://ID.EXAMPLE.COM/01/${GTIN}`, {}, {}],
    [`https://[::1]:8080/01/${GTIN}`, {}, {}],
    [`${AT}/22/2A/10/ABC%2F123/21/1`, { "22": "2A", "10": "ABC/123", "21": "1" }, {}],
    [`${AT}/10/A+B`, { "10": "A+B" }, {}],
    [`${AT}/10/01/21/01`, { "10": "01", "21": "01" }, {}],
    [`${AT}/235/TPX~1`.replace("~", "_"), { "235": "TPX_1" }, {}],
    [`${AT}?17=271200&linkType=gs1:pip#top`, {}, { "17": "271200" }],
    [`${AT}?utm_source=a&15=280229`, {}, { "15": "280229" }],
  ])("%s", (uri, qualifiers, attributes) => {
    expect(parseDigitalLink(uri)).toEqual({ ok: true, short: false, link: { gtin: GTIN, qualifiers, attributes } });
  });

  test("fewer than fourteen digits are accepted and reported", () => {
    const link = { gtin: "00614141123452", qualifiers: {}, attributes: {} };
    expect(parseDigitalLink("https://example.com/01/614141123452")).toEqual({ ok: true, short: true, link });
  });
});

describe("refused", () => {
  test("a text that is too long for a code", () => {
    expect(parseDigitalLink(`${AT}?a=${"b".repeat(3_000)}`)).toEqual({ ok: false, problem: "not_a_uri" });
  });

  test.each([
    ["", "not_a_uri"],
    ["ftp://example.com/01/09520123456788", "not_a_uri"],
    ["Https://example.com/01/09520123456788", "not_a_uri"],
    ["https:///01/09520123456788", "not_a_uri"],
    ["https://user@example.com/01/09520123456788", "not_a_uri"],
    ["https://example.com", "no_key"],
    ["https://example.com/gtin/09520123456788", "no_key"],
    ["https://example.com/09520123456788", "no_key"],
    ["https://example.com/DBjAjKQCWsjlLFHDFLA", "compressed"],
    ["https://example.com/01/09520123456789", "gtin"],
    ["https://example.com/01/", "no_key"],
    ["https://example.com/01/0952012345678", "gtin"],
    [`${AT}/10/%zz`, "escape"],
    [`${AT}?17=%zz`, "escape"],
    [`${AT}/10/A%00B`, "value"],
    [`${AT}/10//21/1`, "value"],
    [`${AT}/10/..`, "value"],
    [`${AT}/10/${"A".repeat(21)}`, "value"],
    [`${AT}/10/caf%C3%A9`, "value"],
    [`${AT}/21/1/10/A`, "qualifiers"],
    [`${AT}/10/A/235/B`, "qualifiers"],
    [`${AT}/99/A`, "qualifiers"],
    [`${AT}/10/A/10/B`, "duplicate"],
    [`${AT}?17=271231&17=271231`, "duplicate"],
    [`${AT}?01=${GTIN}`, "duplicate"],
    [`${AT}?10=ABC`, "qualifier_in_query"],
    [`${AT}/235/T?10=ABC`, "attribute"],
    [`${AT}?9999=1`, "attribute"],
    [`${AT}?17=271331`, "value"],
    [`${AT}?17=270230`, "value"],
    [`${AT}?17=27 231`, "value"],
  ])("%s: %s", (uri, problem) => {
    expect(parseDigitalLink(uri)).toEqual({ ok: false, problem });
  });
});
