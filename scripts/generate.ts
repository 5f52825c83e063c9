// Writes the generated pages, the schema of a fault and the list of facts. With --check it only reports differences.

import { fileURLToPath } from "node:url";
import { installTextFilter } from "@recourse/core/safety";
import { compare, generatedFiles, handWritten, update } from "./generate/files.ts";
import { brokenLinks } from "./generate/markdown.ts";

// The pages show what servers say, and servers have the text filter.
installTextFilter();

const root = fileURLToPath(new URL("..", import.meta.url));
const files = generatedFiles();
const broken = brokenLinks(files, (path) => handWritten(root, path));
const difference = compare(root, files);

if (process.argv.includes("--check")) {
  const problems = [
    ...difference.stale.map((path) => `differs: ${path}`),
    ...difference.left.map((path) => `left over: ${path}`),
    ...broken.map((link) => `broken link: ${link}`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error("Run: npm run generate");
    process.exitCode = 1;
  }
} else if (broken.length > 0) {
  for (const link of broken) console.error(`broken link: ${link}`);
  process.exitCode = 1;
} else {
  update(root, files, difference);
  console.log(`${files.size} files: ${difference.stale.length} written, ${difference.left.length} removed`);
}
