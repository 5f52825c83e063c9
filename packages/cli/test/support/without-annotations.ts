import type { JsonObject } from "@recourse/core/wire";
import { isNightly } from "@recourse/test-kit/runs";
import { expect } from "vitest";
import { judgeRecording } from "../../src/judge/judge.ts";
import type { EraRecord, Recording } from "../../src/recording/recording.ts";
import type { Report } from "../../src/report/report.ts";

/** Whatever a server deletes of what its tools say, it has no more points: all of it, or, at night, that of one tool. */
export function expectNoGain(recording: Recording, { score, called }: Report): void {
  for (const tools of [called, ...(isNightly ? called.map((tool) => [tool]) : [])])
    expect(judgeRecording(withoutAnnotations(recording, tools)).score).toBeLessThanOrEqual(score);
}

/**
 * The recording of the same server whose tools do not say that they only read: they are not called, so their exchanges do not take
 * place, and what they printed is not there.
 */
export function withoutAnnotations(recording: Recording, tools: readonly string[]): Recording {
  return { ...recording, eras: recording.eras.map((era) => withoutCalls(era, tools)) };
}

function withoutCalls(era: EraRecord, deleted: readonly string[]): EraRecord {
  const isDeleted = (name: unknown) => typeof name === "string" && deleted.includes(name);
  const spared = era.called
    .filter(isDeleted)
    .map((tool) => ({ tool, because: "It does not say that it only reads.", why: "unannotated" as const }));
  return {
    ...era,
    tools: era.tools.map((tool) => (isDeleted(tool["name"]) ? withoutHint(tool) : tool)),
    called: era.called.filter((tool) => !isDeleted(tool)),
    spared: [...era.spared, ...spared],
    exchanges: era.exchanges.filter(
      ({ stimulus, tool }) => !((stimulus === "valid-call" || stimulus === "wrong-arguments") && isDeleted(tool)),
    ),
    strayLines: spared.length > 0 ? [] : era.strayLines,
  };
}

function withoutHint({ annotations: _, ...tool }: JsonObject): JsonObject {
  return tool;
}
