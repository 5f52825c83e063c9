import { expect, it } from "vitest";
import { findPattern } from "../pattern-filter.ts";

it.each([
  "Division by zero.",
  "division by zero",
  "Index out of range",
  "Null pointer",
  "Maximum call stack size exceeded",
  "Segmentation fault",
  "Segmentation fault (core dumped)",
  "Stack overflow",
  "Runtime error",
  "The process was stopped by SIGTERM.",
])("lets an error pass that names nothing of the program: %s", (text) => {
  expect(findPattern(text)).toBeUndefined();
});

it.each([
  "Cannot read properties of undefined (reading 'total')",
  "ZeroDivisionError: division by zero",
  "RangeError: Maximum call stack size exceeded",
  "panic: runtime error: integer divide by zero",
  "java.lang.StackOverflowError",
  "list index out of range",
])("stops what an engine wrote: %s", (text) => {
  expect(findPattern(text)).toMatch(/^code\./);
});
