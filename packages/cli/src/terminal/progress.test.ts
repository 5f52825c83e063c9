import { describe, expect, it } from "vitest";
import { createProgress, progressMode } from "./progress.ts";

function outputOf(more = {}) {
  const written: string[] = [];
  return { written, output: { ...more, write: (text: string) => void written.push(text) } };
}

describe("progressMode", () => {
  it.each([
    [{ isTTY: true }, {}, "line"],
    [{}, {}, "silent"],
    [{}, { verbose: true }, "lines"],
    [{ isTTY: true }, { verbose: true }, "lines"],
    [{ isTTY: true }, { quiet: true }, "silent"],
    [{ isTTY: true }, { quiet: true, verbose: true }, "silent"],
  ])("%o and %o give %s", (output, options, mode) => {
    expect(progressMode(output, options)).toBe(mode);
  });
});

describe("createProgress", () => {
  it("draws one line again, cut to the terminal, and removes it", () => {
    const { output, written } = outputOf({ isTTY: true, columns: 20 });
    const progress = createProgress(output, "line");
    progress.step("connecting");
    progress.step("a text that is longer than the terminal");
    progress.done();
    progress.done();
    expect(written).toEqual(["\r\u001b[2Kconnecting", "\r\u001b[2Ka text that is lon…", "\r\u001b[2K"]);
  });

  it("writes plain lines, or nothing", () => {
    const lines = outputOf();
    createProgress(lines.output, "lines").step("connecting");
    expect(lines.written).toEqual(["connecting\n"]);
    const silent = outputOf();
    const progress = createProgress(silent.output, "silent");
    progress.step("connecting");
    progress.done();
    expect(silent.written).toEqual([]);
  });
});
