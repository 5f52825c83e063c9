import { expect, test } from "vitest";
import { listProblems } from "./html.ts";

const message = (ruleId: string, selector: string, line = 1) => ({
  ruleId,
  selector,
  line,
  column: 1,
  message: "wrong",
});

test("problems of a file are counted by their sort, and those of the highlighter are left out", () => {
  const reports = [
    {
      filePath: "/built/guide/index.html",
      messages: [
        message("element-permitted-content", "main > div > pre > code > div:nth-child(3)"),
        message("element-permitted-content", "main > p > div", 7),
        message("element-permitted-content", "main > h2 > div", 9),
        message("text-content", "main > button", 11),
      ],
    },
    { filePath: "/built/index.html", messages: [message("text-content", "figure > div > button")] },
  ];
  expect(listProblems(reports, "/built")).toEqual([
    "guide/index.html: element-permitted-content: wrong (line 7, main > p > div, and 1 more)",
    "guide/index.html: text-content: wrong (line 11, main > button)",
  ]);
});
