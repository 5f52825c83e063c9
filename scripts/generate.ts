// Writes the pages of all errors and the schema of a fault; with --check it only tells what differs.

import { fileURLToPath } from "node:url";
import { compare, update } from "./generate/disk.ts";
import { generatedFiles } from "./generate/files.ts";
import { brokenLinks } from "./generate/links.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = generatedFiles();
const broken = brokenLinks(files);
const difference = compare(root, files);

if (process.argv.includes("--check")) {
  const complaints = [
    ...difference.stale.map((path) => `differs: ${path}`),
    ...difference.left.map((path) => `left over: ${path}`),
    ...broken.map((link) => `broken link: ${link}`),
  ];
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) {
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
