import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { fail } from "../../reasons/fail.ts";
import { toFault } from "../../reasons/unknown/to-fault.ts";
import { protect } from "../../safety/register.ts";
import { leaks } from "../corpus/leaks.ts";
import { expectNoLeak, findLeaks } from "../no-leak.ts";
import { generators } from "./generators.ts";

const any = generators(fc);

it("a secret can be registered, and then never enters a fault", () => {
  fc.assert(
    fc.property(any.secret(), (secret) => {
      const forget = protect(secret);
      try {
        expectNoLeak(fail.conflict`It was ${`say ${secret} twice`}.`.fault, [secret]);
      } finally {
        forget();
      }
    }),
    { numRuns: runs(300) },
  );
});

it("a leaky text holds its canaries, and a fault of it none", () => {
  fc.assert(
    fc.property(any.leakyText(), ({ text, canaries }) => {
      expect(findLeaks(text, canaries).toSorted()).toEqual([...new Set(canaries)].toSorted());
      expectNoLeak(toFault(new Error(text)), canaries);
    }),
    { numRuns: runs(1000) },
  );
});

it("leaky texts are of every category", () => {
  const drawn = fc.sample(any.leakyText(), { numRuns: 1000, seed: 1 });
  expect(new Set(drawn.map(({ category }) => category))).toEqual(new Set(leaks.map(({ category }) => category)));
});
