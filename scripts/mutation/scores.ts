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
  .flatMap((name) => {
    const { files } = JSON.parse(readFileSync(`${REPORTS}/${name}`, "utf8")) as Report;
    return Object.entries(files).map(([file, { mutants }]) => ({
      file: file.replace("packages/core/src/", "").replace(".ts", ""),
      part: name.replace(".json", ""),
      noticed: mutants.filter(({ status }) => NOTICED.has(status)).length,
      of: mutants.filter(({ status }) => COUNTED.has(status)).length,
    }));
  })
  .filter(({ of }) => of > 0)
  .sort((a, b) => (a.file < b.file ? -1 : 1));

const sum = (key: "noticed" | "of") => scores.reduce((total, score) => total + score[key], 0);
const all = { file: "all", part: "", noticed: sum("noticed"), of: sum("of") };

console.log("| file | part | changes noticed | score |\n| --- | --- | --- | --- |");
for (const { file, part, noticed, of } of [...scores, all])
  console.log(`| ${file} | ${part} | ${noticed} of ${of} | ${Math.round((100 * noticed) / of)} % |`);
