import { expect, it } from "vitest";
import { symbolsFor } from "./symbols.ts";

it.each([
  [{ LANG: "en_US.UTF-8" }, "✔"],
  [{ LANG: "de_DE.utf8" }, "✔"],
  [{ LANG: "C" }, "+"],
  [{ LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, "+"],
  [{ LANG: "C", LC_CTYPE: "C.UTF-8" }, "✔"],
  [{}, "✔"],
  [{ TERM: "linux" }, "+"],
  [{ OS: "Windows_NT" }, "+"],
  [{ OS: "Windows_NT", WT_SESSION: "1" }, "✔"],
])("%o shows %s", (env, tick) => {
  expect(symbolsFor(env).tick).toBe(tick);
});
