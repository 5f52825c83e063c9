// Each check finds the server with its defect, and nothing else is found there. By day each defect is probed over one
// transport, in one era and where it shows; the nightly check probes over every transport, in both eras and with everything.

import { NEWEST_REVISIONS } from "@recourse/core/wire";
import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, it } from "vitest";
import { PROBE_CHECKS } from "../../src/checks/catalogue.ts";
import type { EraRevision } from "../../src/recording/recording.ts";
import { expectNoGain } from "../support/without-annotations.ts";
import { groupsFor } from "./defect.ts";
import { DEFECTS } from "./defects/index.ts";
import { findingsOf, probeShop, type ShopProbe } from "./probe-shop.ts";

type Case = ShopProbe & { readonly id: string };

const BY_DAY = Object.entries(DEFECTS).map(([id, { on, era }], index): Case => {
  const transport = on === "both" ? "http" : on;
  return { id, transport, eras: era === undefined ? erasOf(id, index) : [era], only: groupsFor(id) };
});

const AT_NIGHT = Object.entries(DEFECTS).flatMap(([id, { on }]) =>
  (on === "both" ? (["http", "stdio"] as const) : [on]).map((transport): Case => ({ id, transport })),
);

/** One era of those that the check looks at, each in its turn. */
function erasOf(id: string, index: number): readonly EraRevision[] {
  const eras = PROBE_CHECKS.find((check) => check.id === id)?.revisions ?? NEWEST_REVISIONS;
  return eras.filter((_, at) => at === index % eras.length);
}

it("has one defect for each check", () => {
  expect(Object.keys(DEFECTS).sort()).toStrictEqual(PROBE_CHECKS.map(({ id }) => id).sort());
});

describe("the server with the defect", () => {
  it.each(isNightly ? AT_NIGHT : BY_DAY)(
    "$id over $transport has this finding and no other",
    async ({ id, ...way }) => {
      const { report, recording } = await probeShop({ ...way, defect: id });
      expectNoGain(recording, report);
      expect([...findingsOf(report)].sort()).toStrictEqual([id, ...Object.keys(DEFECTS[id]?.also ?? {})].sort());
    },
  );
});
