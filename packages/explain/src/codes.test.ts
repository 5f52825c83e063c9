import { DIALECTS, ONX_ROWS, PLATICA_STATUSES } from "@recourse/core/dialects";
import { describe, expect, it } from "vitest";
import { SYSTEM_NAMES, type System } from "./doc.ts";
import { catalogue } from "./explain.ts";

type Row = readonly [code: string, reason: string];

/** Codes of ours in ranges that a system leaves open: its own document does not have them. */
const OWN_CODES: Partial<Record<System, readonly number[]>> = {
  onx: Object.values(ONX_ROWS).flatMap((row) => ("extension" in row ? [row.code] : [])),
  platica: Object.values(PLATICA_STATUSES).flatMap((row) => ("extension" in row ? [row.code] : [])),
};

/** Reasons that are distinguished by more than the code, beside the one that the code alone is read as. */
const SHARED_CODES: Partial<Record<System, readonly Row[]>> = {
  qaqnuz: [
    ["permission", "auth/approval_required"],
    ["permission", "auth/unauthorized"],
    ["permission", "tool/unreachable"],
    ["retryable", "core/rate_limited"],
  ],
  platica: [["400", "rest/workspace_missing"]],
};

/** What the codes of a system mean, by the table of its dialect. `conformance/published-codes.json` pins that table. */
function tableOf(system: System): readonly Row[] {
  const published = Object.entries(DIALECTS[system].codes?.published() ?? {});
  const own = OWN_CODES[system] ?? [];
  return [...published.filter(([code]) => !own.includes(Number(code))), ...(SHARED_CODES[system] ?? [])];
}

const documented = Object.values(catalogue).flatMap(({ id, doc }) =>
  (doc.codes ?? []).map(({ system, code, note }) => ({ system, row: [code, id] as Row, note })),
);

describe("codes of the five systems", () => {
  it("every dialect with codes is one of the systems", () => {
    const withCodes = Object.values(DIALECTS).flatMap((dialect) => ("codes" in dialect ? [dialect.name] : []));
    expect(withCodes.toSorted()).toEqual(SYSTEM_NAMES.toSorted());
  });

  it.each(SYSTEM_NAMES)("%s: the catalogue contains exactly the table", (system) => {
    const rows = documented.filter((found) => found.system === system).map(({ row }) => row.join(" "));
    expect(rows.toSorted()).toEqual(
      tableOf(system)
        .map((row) => row.join(" "))
        .toSorted(),
    );
  });

  it("distinguishes the reasons that share a code", () => {
    const byCode = Map.groupBy(documented, ({ system, row }) => `${system} ${row[0]}`);
    const untold = [...byCode.values()]
      .filter((all) => all.length > 1)
      .flat()
      .filter(({ note }) => note === undefined);
    expect(untold).toEqual([]);
  });
});
