import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import type { Incident } from "../../api/types.ts";
import { compareIncidents } from "./compare.ts";

const LEFT: Incident = {
  ...{ id: "01M7K7RE4ST7GE86F8QRXY0849", at: "2026-11-16T14:30:33.000Z", fingerprint: "7b1d445dcd8e" },
  ...{ reason: "transport/connection_lost", kind: "unavailable", tool: "shop__refund", tenant: "acme", caller: "a" },
  sample: {
    fault: { kind: "unavailable", reason: "r/r", incident: "01M7K7RE4ST7GE86F8QRXY0849", retry: { allowed: true } },
    sentText: "It broke. Give incident 01M7K7RE4ST7GE86F8QRXY0849.",
    causes: [{ name: "Outer", message: "one", frames: ["at a", "at b", "at c"] }],
    ...{ durationMs: 2_143, endedAt: "attempt" },
  },
};
const RIGHT: Incident = {
  ...LEFT,
  ...{ id: "01M7K7Q5M8C3JZ7D0P9F2S4V6B", at: "2026-11-16T14:29:46.000Z", tenant: "globex", caller: "b" },
  sample: {
    fault: {
      kind: "unavailable",
      reason: "r/r",
      incident: "01M7K7Q5M8C3JZ7D0P9F2S4V6B",
      retry: { allowed: false },
      "a/b": [1],
    },
    sentText: "It broke. Give incident 01M7K7Q5M8C3JZ7D0P9F2S4V6B.",
    causes: [{ name: "Outer", message: "one", frames: ["at a", "at x", "at c"] }],
    ...{ durationMs: 2_201, endedAt: "attempt" },
  },
};

describe("two incidents", () => {
  it("differ in these members, in this order", () => {
    expect(compareIncidents(LEFT, RIGHT)).toEqual({
      differences: [
        { member: "time", left: "16 Nov 2026, 14:30:33 UTC", right: "16 Nov 2026, 14:29:46 UTC" },
        { member: "caller", left: "a", right: "b" },
        { member: "tenant", left: "acme", right: "globex" },
        { member: "duration", left: "2,143 ms", right: "2,201 ms" },
        { member: "chain", left: "    at b", right: "    at x" },
        { member: "fault /retry/allowed", left: "true", right: "false" },
        { member: "fault /a~1b/0", left: undefined, right: "1" },
      ],
      same: ["step that ended it", "sentence"],
    });
  });

  it("that are one have nothing that differs", () => {
    expect(compareIncidents(LEFT, LEFT)).toEqual({
      differences: [],
      same: ["time", "caller", "tenant", "duration", "step that ended it", "chain", "sentence", "fault"],
    });
  });

  it("of which one has no sample", () => {
    const { sample: _sample, ...row } = LEFT;
    const { differences, same } = compareIncidents(row, LEFT);
    expect(differences.map(({ member }) => member)).toEqual([
      "duration",
      "step that ended it",
      "chain",
      "sentence",
      "fault /kind",
      "fault /reason",
      "fault /retry/allowed",
    ]);
    expect(same).toEqual(["time", "caller", "tenant"]);
  });

  it("of which none has a sample do not claim equal chains", () => {
    const { sample: _sample, ...row } = LEFT;
    expect(compareIncidents(row, row).same).toEqual(["time", "caller", "tenant"]);
  });

  it("are compared in bounded time, however large", async () => {
    const frames = Array.from({ length: 5_000 }, (_, line) => `at frame ${line}`);
    const fault = { kind: "k", reason: "r", list: Array.from({ length: 20_000 }, (_, item) => item) };
    const large = (id: string, more: string): Incident => ({
      ...LEFT,
      id,
      sample: { fault, causes: [{ name: more, message: "", frames }] },
    });
    const [left, right] = [large(LEFT.id, "one"), large(RIGHT.id, "two")];
    await expectCost({
      work: () => compareIncidents(left, right),
      yardstick: () => JSON.parse(JSON.stringify([left, right])),
      atMost: 60,
    });
  });
});
