// A server that deletes what its tools say about themselves gains nothing by it: neither in points nor in grade.

import { isObject } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import { gather } from "../src/gather/gather.ts";
import { judgeRecording } from "../src/judge/judge.ts";
import type { Report } from "../src/report/report.ts";
import type { Change, Defect } from "./bad-server/defect.ts";
import { DEFECTS } from "./bad-server/defects/index.ts";
import { startBadServer } from "./bad-server/http.ts";

/** Removes the annotations of some tools from the list. */
function deleting(tools: readonly string[], change: Change = (message) => message): Change {
  return (message, incoming) => {
    const changed = change(message, incoming);
    const result = changed?.["result"];
    if (changed === undefined || !isObject(result) || !Array.isArray(result["tools"])) return changed;
    const listed = result["tools"].map((tool: Record<string, unknown>) =>
      tools.includes(String(tool["name"])) ? { ...tool, annotations: undefined } : tool,
    );
    return { ...changed, result: { ...result, tools: listed } };
  };
}

async function probeHttp(defect: Defect, byName = false): Promise<Report> {
  const server = await startBadServer({ auth: false, defect });
  try {
    const gathered = await gather(
      { transport: "http", url: server.url.href },
      {
        eras: ["2026-07-28"],
        only: ["unknown-tool", "unknown-method", "malformed-params", "wrong-arguments", "valid-call"],
        byName,
        signal: new AbortController().signal,
        now: Date.now,
      },
    );
    if (!gathered.ok) throw new Error(gathered.failure.message);
    return judgeRecording(gathered.recording);
  } finally {
    await server.close();
  }
}

const READERS = ["find_item", "check_stock", "search_items"];
const grades = ({ grade }: Report) => "FDCBA".indexOf(grade.charAt(0));

describe("without annotations", () => {
  it.each(["leak-stack", "leak-credential", "args-refused", "false-green", "tool-failure-channel"])(
    "a server with %s has no better score and grade",
    async (id) => {
      const defect = DEFECTS[id];
      if (defect === undefined) throw new Error(`There is no defect ${id}.`);
      const before = await probeHttp(defect);
      for (const tools of [READERS, READERS.slice(0, 1), READERS.slice(1)]) {
        const after = await probeHttp({ ...defect, change: deleting(tools, defect.change) });
        expect(after.score).toBeLessThanOrEqual(before.score);
        expect(grades(after)).toBeLessThanOrEqual(grades(before));
      }
    },
    60_000,
  );

  it("a good server says what was not tested, and --by-name tests a part of it", async () => {
    const unannotated: Defect = { on: "both", change: deleting(READERS) };
    const report = await probeHttp(unannotated);
    expect(report).toMatchObject({ grade: "?", called: [] });
    expect(report.atMost).toBeGreaterThan(90);
    expect(report.untested[0]).toMatchObject({ option: "--by-name", wouldCall: ["find_item", "search_items"] });
    const byName = await probeHttp(unannotated, true);
    expect(byName.called).toEqual(["find_item", "search_items"]);
    expect(byName.untested[0]).toMatchObject({ option: "--tools", tools: ["check_stock"] });
  }, 60_000);
});
