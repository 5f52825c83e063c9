import { expect, it } from "vitest";
import { pathText, problemLine } from "./problem.ts";

it("writes a path as people write it", () => {
  expect(pathText(["upstreams", "shop", "command", 0])).toBe("upstreams.shop.command[0]");
  expect(pathText(["keys", 1, "id"])).toBe("keys[1].id");
  expect(pathText([])).toBe("");
});

it("writes a problem on one line, so that editors and terminals can jump to it", () => {
  const problem = { line: 12, column: 7, path: "upstreams.shop.url", message: "expected a URL with http or https." };
  expect(problemLine("gateway.yaml", problem)).toBe(
    "gateway.yaml:12:7 upstreams.shop.url: expected a URL with http or https.",
  );
  expect(problemLine("a/b.yaml", { line: 1, column: 1, path: "", message: "The file is empty.", fix: "Run it." })).toBe(
    "a/b.yaml:1:1 The file is empty. Run it.",
  );
});
