import { describe, expect, it } from "vitest";
import { withheldCounts } from "./counts.ts";
import { type NetOptions, passNets } from "./nets.ts";
import { protect } from "./register.ts";
import { createSecretFilter } from "./secrets.ts";

const all: NetOptions = { max: 480, patterns: true };
const exact: NetOptions = { max: 480, patterns: false };

function countedBy(text: string, options: NetOptions): readonly string[] {
  const before = withheldCounts();
  expect(passNets(text, options)).toBe(undefined);
  return Object.entries(withheldCounts()).flatMap(([rule, count]) => (count === (before[rule] ?? 0) + 1 ? [rule] : []));
}

describe("passNets", () => {
  it("returns an honest text as one line within the limit", () => {
    expect(passNets("No such\nchannel.", all)).toBe("No such channel.");
    expect(passNets("No such channel.", { ...all, max: 8 })).toBe("No such…");
  });

  it("withholds a secret that only the finished line has", () => {
    const secrets = createSecretFilter(["correct horse battery"]);
    expect(countedBy("correct\nhorse battery", { ...exact, secrets })).toStrictEqual(["secret"]);
  });

  it("withholds a secret of the request or of the process, and counts it", () => {
    const secrets = createSecretFilter(["plain-words-secret"]);
    expect(countedBy("it was plain-words-secret", { ...exact, secrets })).toStrictEqual(["secret"]);
    const undo = protect("other-words-secret");
    expect(countedBy("it was other-words-secret", exact)).toStrictEqual(["secret"]);
    undo();
    expect(passNets("it was other-words-secret", exact)).toBe("it was other-words-secret");
  });

  it("applies patterns only where it is told to, and not those that are excused", () => {
    expect(countedBy("open /etc/passwd", all)).toStrictEqual(["path.posix"]);
    expect(passNets("open /etc/passwd", exact)).toBe("open /etc/passwd");
    expect(passNets("open /etc/passwd", { ...all, allow: ["path"] })).toBe("open /etc/passwd");
  });

  it("withholds a text whose padding could bring the edge of the window into view", () => {
    const padded = `${"\u200b".repeat(4000)}${"x".repeat(200)}`;
    expect(countedBy(padded, exact)).toStrictEqual(["hostile.padding"]);
    expect(passNets("x ".repeat(3000), exact)).toBe(`${"x ".repeat(239)}x…`);
  });

  it("counts nothing for what it lets pass", () => {
    const before = withheldCounts();
    passNets("fine", all);
    expect(withheldCounts()).toStrictEqual(before);
  });
});
