import { fail, registerSecrets } from "@recourse/core";
import { toFault } from "@recourse/core/reasons";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { leaks } from "../corpus.ts";
import { generators } from "../generators.ts";
import { expectNoLeak, findLeaks } from "../no-leak.ts";

const any = generators(fc);

it("a generated secret can be registered, and then appears in no fault", () => {
  fc.assert(
    fc.property(any.secret(), (secret) => {
      const forget = registerSecrets(secret);
      try {
        expectNoLeak(fail.conflict`It was ${`say ${secret} twice`}.`.fault, [secret]);
      } finally {
        forget();
      }
    }),
    { numRuns: runs(300) },
  );
});

it("a leaky text contains its canaries, and its fault contains none", () => {
  fc.assert(
    fc.property(any.leakyText(), ({ text, canaries }) => {
      expect(findLeaks(text, canaries).toSorted()).toEqual([...new Set(canaries)].toSorted());
      expectNoLeak(toFault(new Error(text)), canaries);
    }),
    { numRuns: runs(1000) },
  );
});

it("leaky texts cover every category", () => {
  const drawn = fc.sample(any.leakyText(), { numRuns: 1000, seed: 1 });
  expect(new Set(drawn.map(({ category }) => category))).toEqual(new Set(leaks.map(({ category }) => category)));
});
