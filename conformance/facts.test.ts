import { expect, test } from "vitest";
import { caseIds, factFiles, lacksRun, missingProof, SUBJECTS } from "./facts.ts";

const SYSTEMS = ["closient", "erlmcp", "onx", "platica", "qaqnuz"];

test("there are facts of all five systems", () => {
  expect(factFiles().map((file) => file.system)).toEqual(SYSTEMS);
});

test.each(factFiles())("every fact of $system is proved by something that exists", ({ facts }) => {
  const cases = caseIds();
  expect(facts.filter(({ covered }) => covered.length === 0).map(({ id }) => id)).toEqual([]);
  expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
  const problems = facts.flatMap(({ id, covered }) =>
    covered.flatMap((proof) => {
      const problem = missingProof(proof, cases);
      return problem === undefined ? [] : [`${id}: ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
});

test.each(factFiles())("every fact of $system says what it is about", ({ facts }) => {
  expect(facts.filter(({ about }) => !SUBJECTS.includes(about)).map(({ id }) => id)).toEqual([]);
});

test.each(factFiles())("a run shows every fact of $system about behaviour", ({ facts }) => {
  expect(facts.filter(lacksRun).map(({ id }) => id)).toEqual([]);
});
