import { describe, expect, it } from "vitest";
import { sampleReport } from "../../test/support/samples.ts";
import { MARKDOWN_MARK, markdownReport } from "./markdown.ts";
import type { Report } from "./report.ts";

const report = sampleReport();
const text = markdownReport(report);

/** A report in which everything that a server can say is `said`. */
function saying(said: string): Report {
  const { target } = report;
  return {
    ...report,
    target: { ...target, server: { name: said, version: said } },
    checks: report.checks.map((check) => ({
      ...check,
      ...(check.message !== undefined && { message: said }),
      ...(check.state === "fail" && check.id === "deep-json" && { state: "known" as const, reason: said }),
    })),
    exchanges: report.exchanges.map((exchange) => ({
      ...exchange,
      answer: {
        kind: "body" as const,
        ms: 1,
        bytes: said.length,
        text: said,
        http: { status: 500, headers: {}, streamed: false },
      },
    })),
  };
}

/** The text outside of blocks of code, without code spans. */
function prose(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const [mark] = /^`{3,}/.exec(line) ?? [];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined) {
      if (line === fence) fence = undefined;
    } else lines.push(line);
  }
  expect(fence).toBeUndefined();
  return lines.join("\n").replaceAll(/`[^`\n]{1,200}`/g, "");
}

describe("markdownReport", () => {
  it("begins with a mark, the score and what to do first", () => {
    expect(text.split("\n")[0]).toBe(MARKDOWN_MARK);
    expect(text).toContain("## How this MCP server fails: 53 of 100, grade D");
    expect(text.indexOf("### What to do first")).toBeLessThan(text.indexOf("### Findings"));
    expect(text).toMatch(/^1\. .*\*\*\+\d+ points?\*\*/m);
  });

  it("lists the findings in a table, the worst first, and folds the evidence", () => {
    const rows = text.split("\n").filter((line) => /^\| (?:critical|high|medium|low) \|/.test(line));
    expect(rows[0]).toMatch(/^\| critical \| \[`leak-stack`\]\(https:\/\/\S+\/leak-stack\.md\) \| .* \| −40 % \|$/);
    expect(rows).toHaveLength(6);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    expect(text).toContain("400  text/html  SyntaxError");
  });

  it("says how sure it is, and which option tests more", () => {
    const unsure = markdownReport({
      ...report,
      grade: "D?",
      atMost: 80,
      coverage: { ...report.coverage, notTested: 7 },
      untested: [{ kind: "annotations", because: "No tool may be called.", option: "--by-name", checks: [] }],
    });
    expect(unsure).toContain(
      "**Not sure:** 7 checks could not be tested. The score is 80 if all of that passes. Test more with `--by-name`.",
    );
    expect(text).not.toContain("Not sure");
  });

  it.each([
    ["a cell", "a | b \\| c", /^\| \w+ \|.*\|.*\|.*\|$/],
    [
      "HTML",
      "<img src=x onerror=alert(1)><!-- </details><script>",
      /<(?:img|script)|<!-- (?!recourse)|onerror=alert\(1\)>/,
    ],
    [
      "a link",
      "[click](https://evil.example) ![x](http://evil.example/p.png) www.evil.example",
      /\]\(https?:\/\/evil|https?:\/\/evil|www\.evil/,
    ],
    ["a mention", "@octocat @org/team owner/repo#12 #13 GH-14 me@evil.example", /@(?:octocat|org|evil)|#1\d|GH-14/],
    ["a fence", "```\n</details>\n# heading\n````` x", /^# heading/m],
    ["emphasis", "**bold** _x_ ~~y~~ `code` $math$ :tada:", /\*\*bold|_x_|~~|\$math|:tada:/],
    ["a terminal", "\u001b[2J\u202e\ud800", /\p{Cc}(?<!\n)|\u202e|\p{Cs}/u],
  ])("keeps %s of the server a text", (name, said, broken) => {
    const written = markdownReport(saying(said));
    const outside = prose(written);
    if (name === "a cell") {
      const rows = outside.split("\n").filter((line) => line.startsWith("| critical"));
      for (const row of rows) expect(row.match(/\|/g)).toHaveLength(5);
    } else expect(outside.replaceAll(/https:\/\/github\.com\/recourse-mcp\S+/g, "")).not.toMatch(broken);
    expect(outside.match(/<\/details>/g)?.length).toBe(outside.match(/<details>/g)?.length);
    expect(outside.match(/^#{2,3} /gm)?.length).toBe(3);
  });

  it("fits into a comment, however much there is", () => {
    const [check] = report.checks.filter(({ id }) => id === "leak-stack");
    const many = Array.from({ length: 100 }, (_, at) => ({ ...check, id: `leak-${at}` }) as Report["checks"][number]);
    const states = ["known", "forced", "untested", "skipped"] as const;
    const others = states.flatMap((state) =>
      many.map((one) => ({
        ...one,
        id: `${state}-${one.id}`,
        state,
        message: "|".repeat(5_000),
        reason: "@".repeat(5_000),
      })),
    );
    const long = {
      ...saying("`|@<".repeat(20_000)),
      checks: [...many.map((one) => ({ ...one, message: "@|".repeat(9_000) })), ...others],
    };
    const written = markdownReport(long);
    expect(written.length).toBeLessThan(65_536);
    expect(written).toContain("more are left out here.");
  });
});
