// Prints the mutation score of every file that `npm run mutation` measured, and of all of them together.
import { readdirSync, readFileSync } from "node:fs";

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

const REPORTS = "reports/mutation";
const NOTICED: ReadonlySet<string> = new Set(["Killed", "Timeout"]);
const COUNTED: ReadonlySet<string> = new Set([...NOTICED, "Survived", "NoCoverage"]);

const scores = readdirSync(REPORTS)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => Object.entries((JSON.parse(readFileSync(`${REPORTS}/${name}`, "utf8")) as Report).files))
  .map(([file, { mutants }]) => ({
    file,
    noticed: mutants.filter(({ status }) => NOTICED.has(status)).length,
    of: mutants.filter(({ status }) => COUNTED.has(status)).length,
  }))
  .filter(({ of }) => of > 0)
  .sort((a, b) => (a.file < b.file ? -1 : 1));

const row = (file: string, noticed: number, of: number) =>
  `| ${file} | ${noticed} of ${of} | ${Math.round((100 * noticed) / of)} % |`;
const sum = (key: "noticed" | "of") => scores.reduce((total, score) => total + score[key], 0);

console.log("| file | changes noticed | score |\n| --- | --- | --- |");
for (const { file, noticed, of } of scores) console.log(row(`\`${file}\``, noticed, of));
console.log(row("all", sum("noticed"), sum("of")));
