import { expect, test } from "vitest";
import { readSources } from "../content/sources.ts";
import { findNameProblems, listReasonNames } from "./names.ts";

const page = (text: string) => ({ file: "docs/a.md", address: "/a/", text });

test("names are read from inline code, and not from blocks", () => {
  const text =
    "`core/timeout` and [`tool/not_found`](x.md)\n\n```json\n`core/none`\n```\n`src/a.ts` `TOOL/x` core/plain";
  expect(listReasonNames(text)).toEqual(["core/timeout", "tool/not_found"]);
});

test("a name that does not exist is found, and one that is something else is not", () => {
  const problems = findNameProblems([page("`core/timeout` `core/timed_out` `tools/call` `orders/sold_out`")]);
  expect(problems.filter((problem) => problem.startsWith("docs/"))).toEqual([
    "docs/a.md: core/timed_out is not a reason",
    "docs/a.md: orders/sold_out is not a reason",
  ]);
});

test("every reason that a page names exists", () => {
  expect(findNameProblems(readSources())).toEqual([]);
});
