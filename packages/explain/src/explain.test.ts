import { fail, KINDS, STATUS_MEANINGS } from "@recourse/core";
import { SDK_LOCAL_ERRORS } from "@recourse/core/dialects";
import { tool } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { KIND_DOCS } from "./data/kinds.ts";
import { CODES, type CodeRow } from "./data/systems.ts";
import { catalogue, explain, meaningsOf, rangeOf } from "./explain.ts";

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

const rows = Object.entries<readonly CodeRow[]>(CODES).flatMap(([code, of]) => of.map((row) => ({ code, row })));

describe("CODES", () => {
  it.each(rows)("$code of $row.sender names a reason, and reads like the others", ({ row }) => {
    expect(Object.keys(catalogue)).toContain(row.reason);
    for (const text of [row.sender, row.meaning, row.advice ?? "x"]) {
      expect(text).toMatch(/[^.]$/);
      expect(text.length).toBeLessThanOrEqual(100);
    }
    expect(row.meaning).toMatch(/^(?:[a-z]|Host|Accept|Content-Type)/);
  });

  it("has no row twice", () => {
    const keys = rows.map(({ code, row }) => `${code} ${row.sender} ${row.status} ${row.meaning}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("agrees with the dialect that reads HTTP statuses of the SDK", () => {
    for (const [status, { server }] of Object.entries(STATUS_MEANINGS)) {
      const reasons = meaningsOf(status).map((row) => row.reason);
      if (server !== undefined && reasons.length > 0) expect(reasons, status).toContain(server.id);
    }
  });

  it("agrees with the dialect that reads local errors of the SDK", () => {
    for (const [code, { reason, effect }] of Object.entries(SDK_LOCAL_ERRORS)) {
      const [row] = meaningsOf(code);
      expect(row?.reason, code).toBe(reason.id);
      if (effect !== undefined) expect(row?.effect, code).toBe(effect);
    }
  });
});

describe("meaningsOf", () => {
  it("puts senders side by side, the five systems among them", () => {
    const meanings = meaningsOf(-32001);
    expect(meanings[0]).toEqual({
      sender: "MCP SDK v1, your side",
      meaning: "the request timed out, or you aborted it",
      reason: "core/timeout",
      kind: "timeout",
      effect: "possible",
      advice: "look before repeating",
    });
    expect(meanings.map(({ sender }) => sender)).toEqual(expect.arrayContaining(["Closient", "Platica", "erlmcp"]));
    expect(meanings.find(({ status }) => status === 404)).toMatchObject({ effect: "none", advice: "initialize again" });
  });

  it("takes the effect from the kind unless the row says more", () => {
    expect(meaningsOf(-32600).map(({ effect }) => effect)).toEqual(["none", "possible", "none", "none", "none"]);
  });

  it("does not repeat what may have taken effect", () => {
    const upstream = meaningsOf(-32603).find(({ kind }) => kind === "upstream_failed");
    expect(KINDS.upstream_failed.firstMove).toBe("retry");
    expect(upstream).toMatchObject({ effect: "possible", advice: "look before repeating" });
    expect(meaningsOf(3001)).toMatchObject([{ sender: "onX", advice: "wait, then make the same call again" }]);
  });

  it.each([4242, "constructor", "", "NOPE"])("knows nothing of %j", (code) => {
    expect(meaningsOf(code)).toEqual([]);
  });
});

describe("rangeOf", () => {
  it.each([
    [-32000, -32019, "has no fixed meaning"],
    [-32019, -32019, "has no fixed meaning"],
    [-32020, -32099, "reserved for MCP"],
    [-32100, -32768, "reserved for JSON-RPC"],
    [-31999, Number.MIN_SAFE_INTEGER, "every program"],
    [4001, Number.MIN_SAFE_INTEGER, "every program"],
  ])("of %i begins at %i", (code, from, words) => {
    expect(rangeOf(code)).toMatchObject({ from, rule: expect.stringContaining(words) });
  });

  it("knows no range of what is no number", () => {
    expect(rangeOf(Number.NaN)).toBeUndefined();
  });
});
