// The examples for agent frameworks are projects that are copied alone, so each has its own copy of the shop.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (project: string, file: string) => readFileSync(new URL(`${project}/${file}`, import.meta.url), "utf8");

test.each(["ai-sdk", "mastra", "openai-agents"])("%s has the same shop and the same tests as langchain", (project) => {
  for (const file of ["shop.ts", "behaviour.ts"]) expect(read(project, file)).toBe(read("langchain", file));
});
