import { Console } from "node:console";
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { routeConsole } from "./console.ts";

/** A console that writes past the stream of the process, as those of Bun and Deno do. */
function bypassing() {
  const past: string[] = [];
  const through: string[] = [];
  const log = (text: string) => past.push(text);
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      through.push(text);
      done();
    },
  });
  return { past, through, stream, console: { log, error: log, Console } };
}

it.each(["Bun", "Deno"])("makes prints of %s go through the stream, until it is released", (runtime) => {
  const { past, through, stream, console } = bypassing();
  const release = routeConsole(stream, { [runtime]: {}, console });
  console.log("a stray line");
  console.error("for standard error");
  expect(through).toEqual(["a stray line\n"]);
  release();
  console.log("free again");
  expect(past).toEqual(["for standard error", "free again"]);
});

it("leaves the console of Node alone, and one that cannot be routed", () => {
  const { past, stream, console } = bypassing();
  const original = console.log;
  routeConsole(stream, { console });
  routeConsole(stream, { Deno: {}, console: { log: original } });
  routeConsole(stream, { Deno: {} })();
  expect(console.log).toBe(original);
  expect(past).toEqual([]);
});
