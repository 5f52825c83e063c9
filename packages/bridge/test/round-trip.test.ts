// A value that is written into a request is read back unchanged in the same style, or it is refused.

import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STYLES } from "../src/operations/parameters.ts";
import { buildRequest } from "../src/request/build-request.ts";
import { withParameters } from "./operation.ts";
import { readStyle, type Value, type Writing } from "./read-style.ts";

const server = new URL("https://api.example/base");
const KEYS = { path: "id", query: "filter[x]", header: "X-Wanted", cookie: "theme" } as const;

const matrix = (Object.keys(STYLES) as (keyof typeof STYLES)[]).flatMap((place) =>
  STYLES[place].flatMap((style) =>
    [true, false].flatMap((explode) =>
      (["one", "many", "pairs"] as const).map(
        (kind): Writing => ({ in: place, style, explode, kind, key: KEYS[place] }),
      ),
    ),
  ),
);
// OpenAPI does not define this style for cookies, and it would set any cookie.
const isWritable = (one: Writing) => !(one.in === "cookie" && one.explode && one.kind === "pairs");
// Without a member in brackets, a deep object is a form value.
const isDefined = (one: Writing) => !(one.style === "deepObject" && one.kind === "one");

function roundTrip(writing: Writing, value: unknown): { sent: boolean; read?: Value } {
  const { in: place, style, explode, key } = writing;
  const operation = withParameters(place === "path" ? "/a/{id}/b" : "/a", { name: key, in: place, style, explode });
  const [argument] = operation.arguments;
  const built = buildRequest(operation, { [argument?.name ?? ""]: value }, { server });
  if (!built.ok) return { sent: false };
  const { url, headers } = built.request;
  const raw = {
    path: url.pathname.split("/")[3],
    query: url.search.slice(1),
    header: headers[key.toLowerCase()] ?? "",
    cookie: headers["cookie"],
  }[place];
  return { sent: true, ...(raw !== undefined && { read: readStyle(raw, writing) }) };
}

function valuesOf(kind: Writing["kind"], text: fc.Arbitrary<string>): fc.Arbitrary<Value> {
  if (kind === "one") return text;
  if (kind === "many") return fc.array(text, { minLength: 1, maxLength: 4 });
  return fc.dictionary(text, text, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

describe.each(matrix.filter((one) => isWritable(one) && isDefined(one)))(
  "$in, style $style, explode $explode, $kind",
  (writing) => {
    it("carries plain values", () => {
      const plain = fc.stringMatching(/^[a-zA-Z0-9_]{1,8}$/).filter((text) => text !== "__proto__");
      fc.assert(
        fc.property(valuesOf(writing.kind, plain), (value) => {
          expect(roundTrip(writing, value)).toEqual({ sent: true, read: value });
        }),
        { numRuns: runs(30) },
      );
    });

    it("carries any value unchanged, or refuses it", () => {
      const odd = fc.constantFrom(
        ..."a,b a|b a.b a;b a&b=c a=b %41 a+b ü😀 a/b ..".split(" "),
        ...["a b", "", "\r\n", "\ud800"],
      );
      const any = fc.oneof(odd, fc.string({ unit: "binary", maxLength: 6 })).filter((text) => text !== "__proto__");
      fc.assert(
        fc.property(valuesOf(writing.kind, any), (value) => {
          const { sent, read } = roundTrip(writing, value);
          if (sent) expect(read).toEqual(value);
        }),
        { numRuns: runs(100) },
      );
    });
  },
);

it("writes numbers and booleans as JSON does, and leaves null out", () => {
  const writing = { in: "query", style: "form", explode: true, kind: "many", key: "n" } as const;
  const { read } = roundTrip(writing, [1, -0.5, 1e21, true, false, null, "x"]);
  expect(read).toEqual(["1", "-0.5", "1e+21", "true", "false", "x"]);
});
