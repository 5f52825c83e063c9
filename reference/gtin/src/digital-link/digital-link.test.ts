import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digitalLink } from "../../test/support/arbitraries.ts";
import { buildDigitalLink } from "./digital-link.ts";
import { parseDigitalLink } from "./parse.ts";

test.each([
  [{}, {}, "https://id.example.com/01/09520123456788"],
  [{ "21": "1", "10": "A/B" }, {}, "https://id.example.com/01/09520123456788/10/A%2FB/21/1"],
  [{ "235": "it's (new)!" }, {}, "https://id.example.com/01/09520123456788/235/it%27s%20%28new%29%21"],
  [{}, { "17": "271200", "11": "250101" }, "https://id.example.com/01/09520123456788?11=250101&17=271200"],
])("%j %j", (qualifiers, attributes, uri) => {
  expect(buildDigitalLink({ gtin: "09520123456788", qualifiers, attributes }, "https://id.example.com/")).toBe(uri);
});

test("a built link is parsed back unchanged", () => {
  fc.assert(
    fc.property(digitalLink, (link) => {
      expect(parseDigitalLink(buildDigitalLink(link, "https://id.example.com"))).toEqual({
        ok: true,
        link,
        short: false,
      });
    }),
    { numRuns: runs(1_000) },
  );
});
