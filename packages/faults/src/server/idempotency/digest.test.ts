import { expect, it } from "vitest";
import { digestOf } from "./digest.ts";

it("is the SHA-256 of the canonical text", async () => {
  expect(await digestOf("abc")).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25");
  expect(await digestOf({ b: 1, a: 2 })).toBe(await digestOf({ a: 2, b: 1 }));
});
