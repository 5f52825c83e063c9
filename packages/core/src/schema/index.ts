// Checking arguments against a JSON Schema in bounded time, and what a pattern of a schema may cost.

export { checkArguments, glanceAtArguments } from "./issues.ts";
export { isCheapPattern, patternCost } from "./pattern-cost.ts";
