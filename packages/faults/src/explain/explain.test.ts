import { describe, expect, it } from "vitest";
import { KINDS } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import * as tool from "../reasons/library/tool.ts";
import { catalogue } from "./catalogue.ts";
import { KIND_DOCS } from "./data/kinds.ts";
import { explain } from "./explain.ts";

describe("explain", () => {
  it("explains every reason of the library by name", () => {
    for (const { id, kind, doc } of Object.values(catalogue)) {
      expect(explain(id)).toMatchObject({ reason: id, kind, exact: true, title: doc.title, causes: doc.causes });
    }
  });

  it("explains a fault of the library", () => {
    expect(explain(tool.not_found.fault({ tool: "serach" }))).toEqual({
      reason: "tool/not_found",
      exact: true,
      kind: "not_found",
      class: "terminal",
      meaning: KIND_DOCS.not_found.meaning,
      actor: "model",
      ...catalogue["tool/not_found"]?.doc,
    });
  });

  it.each(Object.keys(KINDS))("explains adhoc/%s by its kind", (kind) => {
    expect(explain(`adhoc/${kind}`)).toMatchObject({
      exact: false,
      kind,
      codes: [],
      ...KIND_DOCS[kind as keyof typeof KIND_DOCS],
    });
  });

  it("explains an ad-hoc fault by its kind", () => {
    expect(explain(fail.conflict`It is taken.`.fault)).toMatchObject({ reason: "adhoc/conflict", title: "Conflict" });
  });

  it("explains a reason of another program by its kind", () => {
    expect(explain({ reason: "gtin/no_rule", kind: "not_found" })).toMatchObject({
      reason: "gtin/no_rule",
      exact: false,
      kind: "not_found",
    });
  });

  it("uses the kind if a reason of another program has one of our names", () => {
    expect(explain({ reason: "tool/timeout", kind: "forbidden" })).toMatchObject({ exact: false, kind: "forbidden" });
  });

  it("explains a kind that is newer than this version by its class", () => {
    expect(explain({ reason: "x/y", kind: "melted", class: "dependency" })).toMatchObject({ kind: "upstream_failed" });
  });

  it("returns nothing for an unknown reason", () => {
    const unknown = ["gtin/no_rule", "adhoc/melted", "adhoc", "", "constructor", "toString", "adhoc/constructor"];
    for (const reason of unknown) expect(explain(reason)).toBeUndefined();
    expect(explain({ reason: "x/y", kind: "melted" })).toBeUndefined();
    expect(explain({ reason: "x/y", kind: "melted", class: "molten" })).toBeUndefined();
  });
});
