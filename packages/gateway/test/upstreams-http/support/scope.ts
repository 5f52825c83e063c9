// Closes what a test has opened.
import { afterEach } from "vitest";

/** Keeps things until the end of the test that opened them. */
export function scope(): <T extends { close(): Promise<unknown> }>(one: T) => T {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  return (one) => {
    open.push(one);
    return one;
  };
}
