// Each server with one more form of a defect has its finding, and nothing else is found there, over every transport and in one
// era. By day every third of them is probed, over one transport and where it shows.

import { NEWEST_REVISIONS } from "@recourse/core/wire";
import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, it } from "vitest";
import { PROBE_CHECKS } from "../../src/checks/catalogue.ts";
import { expectNoGain } from "../support/without-annotations.ts";
import { groupsFor } from "./defect.ts";
import { SEEDS } from "./defects/index.ts";
import { findingsOf, probeShop, type ShopProbe } from "./probe-shop.ts";

type Case = ShopProbe & { readonly name: string };

const CASES = Object.entries(SEEDS).flatMap(([name, { finds, shows, on, era }], index): readonly Case[] => {
  const eras = PROBE_CHECKS.find(({ id }) => id === finds)?.revisions ?? NEWEST_REVISIONS;
  const one = { name, eras: [era ?? eras[index % eras.length] ?? NEWEST_REVISIONS[0]] };
  const transports = on === "both" ? (["http", "stdio"] as const) : [on];
  if (isNightly) return transports.map((transport) => ({ ...one, transport }));
  const transport = transports[index % transports.length];
  return transport === undefined || index % 3 > 0 ? [] : [{ ...one, transport, only: groupsFor(finds, shows) }];
});

describe("the server with another form of the defect", () => {
  it.each(CASES)("$name over $transport has this finding and no other", async ({ name, ...way }) => {
    const { report, recording } = await probeShop({ ...way, defect: name });
    expectNoGain(recording, report);
    const { finds = "", also = {} } = SEEDS[name] ?? {};
    const findings = findingsOf(report);
    expect(findings).toContain(finds);
    // Some of the others depend on the era, or on when a program ends.
    expect(findings.filter((id) => id !== finds && !Object.hasOwn(also, id))).toStrictEqual([]);
  });
});
