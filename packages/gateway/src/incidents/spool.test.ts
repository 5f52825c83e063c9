import { expect, it } from "vitest";
import { INCIDENTS, incidentWith } from "../../test/incidents/support.ts";
import { otherFingerprint, Recorder } from "./record.ts";
import { Spool, Tallies } from "./spool.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

it("counts by minute, then by hour, then by upstream, and never loses one", () => {
  const recorder = new Recorder({ config: INCIDENTS });
  const tallies = new Tallies(4);
  const add = (tool: string, atMs: number) => {
    const record = recorder.record(incidentWith({ tool, atMs }));
    if (record !== undefined) tallies.add(record);
  };
  for (let minute = 0; minute < 6; minute += 1) add("a", NOW + minute * 60_000);
  expect(tallies.list().map(({ minuteMs, count }) => [minuteMs === undefined, count])).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 1],
    [true, 2],
  ]);
  for (let tool = 0; tool < 20; tool += 1) add(`tool-${tool}`, NOW);
  add("b", NOW + HOUR_MS);
  expect(tallies.size).toBeLessThanOrEqual(4 + 4 + 2);
  expect(tallies.list().reduce((sum, { count }) => sum + count, 0)).toBe(27);
  expect(tallies.classes.get(otherFingerprint("shop"))).toMatchObject({ reason: "other", upstream: "shop" });
  expect(tallies.list().every(({ fingerprint }) => tallies.classes.has(fingerprint))).toBe(true);
});

it("counts samples that it gives up, and rows that it cannot keep", () => {
  const recorder = new Recorder({ config: INCIDENTS });
  // Room for two rows, and not for a sample.
  const spool = new Spool({ maxRows: 2, maxBytes: 1_000 });
  for (const tool of ["a", "b", "c"]) {
    const record = recorder.record(incidentWith({ tool, atMs: NOW }));
    if (record !== undefined) spool.add(record);
  }
  expect([spool.waiting, spool.dropped, spool.droppedSamples]).toEqual([2, 1, 2]);
  const roomy = new Spool();
  const record = recorder.record(incidentWith({ tool: "d", atMs: NOW }));
  if (record !== undefined) roomy.add(record);
  roomy.take();
  expect(roomy.droppedSamples).toBe(0);
  // The database refuses the batch, twice.
  roomy.giveUpSamples();
  expect([roomy.dropped, roomy.droppedSamples]).toEqual([0, 1]);
  roomy.giveUpSamples();
  roomy.giveUpRows();
  expect([roomy.dropped, roomy.droppedSamples]).toEqual([1, 1]);
});
