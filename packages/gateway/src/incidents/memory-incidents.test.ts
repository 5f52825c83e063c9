import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { INCIDENTS, idOf, incidentWith } from "../../test/incidents/support.ts";
import { memoryIncidents } from "./memory-incidents.ts";
import { Recorder } from "./record.ts";

const opened = (max?: number) => memoryIncidents(new Recorder({ config: INCIDENTS }), max);
const NOW = Date.parse("2026-03-01T12:00:30Z");

describe("incidents in memory", () => {
  it("are found, searched over pages, and ranked", async () => {
    const { sink, reader } = opened();
    const all = Array.from({ length: 9 }, (_, index) =>
      incidentWith({ atMs: NOW + index, tool: index < 6 ? "a" : "b" }),
    );
    for (const one of all) sink(one);
    await expect(reader.find(idOf(all[4] ?? incidentWith()))).resolves.toMatchObject({ tool: "a" });
    const first = await reader.search({}, { limit: 4 });
    const last = first.at(-1);
    const second = await reader.search({}, { limit: 10, before: last?.id });
    expect([...first, ...second].map((row) => row.id)).toEqual(all.map(idOf).toReversed());
    await expect(reader.search({}, { limit: 10, before: last?.id, beforeAt: last?.at })).resolves.toEqual(second);
    await expect(reader.search({}, { limit: 10, before: "unknown" })).resolves.toEqual([]);
    const classes = (await reader.findClasses("", 10)).toSorted((one, other) => other.count - one.count);
    expect(classes.map(({ tool, count }) => [tool, count])).toEqual([
      ["a", 6],
      ["b", 3],
    ]);
    expect(classes[0]).toMatchObject({ firstSeen: all[0]?.at, lastSeen: all[5]?.at, message: all[0]?.fault.message });
    await expect(reader.findClass(classes[0]?.fingerprint ?? "")).resolves.toEqual(classes[0]);
    await expect(reader.rates({}, "tool", "minute")).resolves.toEqual([
      { at: "2026-03-01T12:00:00.000Z", group: "a", count: 6 },
      { at: "2026-03-01T12:00:00.000Z", group: "b", count: 3 },
    ]);
  });

  it("are found by the id of the upstream too, after their own", async () => {
    const { sink, reader } = opened();
    const [theirs, ours] = [idOf(incidentWith({ atMs: NOW })), idOf(incidentWith({ atMs: NOW }))];
    sink(incidentWith({ atMs: NOW, tool: "claims", upstreamIncident: ours }));
    sink(incidentWith({ atMs: NOW + 1, tool: "has", id: ours, upstreamIncident: theirs }));
    await expect(reader.find(theirs)).resolves.toMatchObject({ id: ours, upstreamIncident: theirs });
    await expect(reader.find(ours)).resolves.toMatchObject({ tool: "has" });
  });

  it("are filtered and erased", async () => {
    const { sink, reader } = opened();
    const ann = incidentWith({ atMs: NOW, caller: "ann" });
    const bob = incidentWith({ atMs: NOW + 60_000, caller: "bob", fault: core.unavailable.fault() });
    for (const one of [ann, bob]) sink(one);
    const ids = async (filter: Parameters<typeof reader.search>[0]) =>
      (await reader.search(filter, { limit: 5 })).map((row) => row.id);
    await expect(ids({ caller: "ann" })).resolves.toEqual([idOf(ann)]);
    await expect(ids({ kind: "unavailable" })).resolves.toEqual([idOf(bob)]);
    await expect(ids({ since: bob.at })).resolves.toEqual([idOf(bob)]);
    await expect(ids({ until: bob.at })).resolves.toEqual([idOf(ann)]);
    await expect(reader.erase("ann")).resolves.toBe(1);
    await expect(ids({})).resolves.toEqual([idOf(bob)]);
  });

  it("of one sort are capped in each minute, with every id found and every count right", async () => {
    const { admit, sink, reader } = memoryIncidents(new Recorder({ config: INCIDENTS, rowsPerMinute: 5 }), 20);
    const ids = new Set<string>();
    for (let index = 0; index < 90; index += 1) {
      // Ten upstreams, so that rows are removed while others of their fingerprint still refer to them.
      const given = { atMs: NOW + index, upstream: `u${index % 10}` };
      const incident = incidentWith(given);
      const admission = admit({ ...incident, fault: core.internal.fault(), atMs: given.atMs });
      sink({ ...incidentWith({ ...given, id: admission.id }), admission });
      await expect(reader.find(admission.id)).resolves.toMatchObject({ upstream: given.upstream });
      ids.add(admission.id);
    }
    expect(ids.size).toBeLessThan(90);
    const {
      sink: one,
      admit: admitOne,
      reader: ofOne,
    } = memoryIncidents(new Recorder({ config: INCIDENTS, rowsPerMinute: 5 }));
    for (let index = 0; index < 30; index += 1) {
      const atMs = NOW + index * 1_000;
      const admission = admitOne({ ...incidentWith(), fault: core.internal.fault(), atMs });
      one({ ...incidentWith({ atMs, id: admission.id }), admission });
    }
    const [ranked] = await ofOne.findClasses("", 5);
    expect(ranked).toMatchObject({ count: 30 });
    await expect(ofOne.findClass(ranked?.fingerprint ?? "")).resolves.toEqual(ranked);
    await expect(ofOne.rates({}, "upstream", "hour")).resolves.toEqual([
      { at: "2026-03-01T12:00:00.000Z", group: "shop", count: 30 },
    ]);
    await expect(ofOne.search({}, { limit: 100 })).resolves.toHaveLength(5);
  });

  it("are the last ones only", async () => {
    const { sink, reader } = opened(8);
    const all = Array.from({ length: 30 }, (_, index) => incidentWith({ atMs: NOW + index }));
    for (const one of all) sink(one);
    const rows = await reader.search({}, { limit: 100 });
    expect(rows.map((row) => row.id)).toEqual(all.slice(-8).map(idOf).toReversed());
  });
});
