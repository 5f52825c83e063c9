// Writes what the image holds of our packages and those they need: node deploy/image/tree.ts <folder>.
// Run it in the root of the repository, after `npm ci` and `node scripts/build.ts`.
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOwn, type Lock, nameAt, readLock, runtimeReach } from "../../scripts/lock/lock.ts";

/** The packages that the image is for: the command, and the gateway that it starts. */
const ROOTS = ["packages/cli", "packages/gateway"];
/** Files with terms. They stay, whatever they are called. */
const TERMS = /^(?:licen[cs]e|copying|notice|third-party-licenses|authors)\b/i;
/** What Node does not read: maps, types, sources, pages, tests. */
const LEFT_OUT = /\.(?:map|[cm]?tsx?|md|markdown|flow|tsbuildinfo|gyp|c|cc|h)$|^(?:Makefile|\.[^/]*)$/i;
/** Folders that only those who build or test a package need. Only at its top: such names may mean something below. */
const LEFT_OUT_FOLDERS = ["test", "tests", "docs", "benchmark"];

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
  readonly files?: readonly string[];
}

/** Where a package is, and where it goes. */
interface PackageFolders {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

interface Copied {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
}

/** The folders of all packages of the image, by the lock. */
export function packagesOf(lock: Lock): readonly string[] {
  return [...new Set([...ROOTS, ...ROOTS.flatMap((folder) => runtimeReach(lock, folder))])].toSorted();
}

/** Whether a file of a package goes into the image. The path is relative to the package. */
export function isTaken(path: string): boolean {
  const [top = ""] = path.split("/");
  // Packages inside of a package are copied by themselves.
  if (top === "node_modules") return false;
  if (TERMS.test(basename(path))) return true;
  return !LEFT_OUT.test(basename(path)) && !(path.includes("/") && LEFT_OUT_FOLDERS.includes(top));
}

/** Copies one package, with its terms. Throws if it has none, or is for one platform. */
export function copyPackage({ name, from, to }: PackageFolders): Copied {
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as Manifest;
  // Our own packages are folders with more than what is published.
  const published = isOwn(from) ? ["package.json", "LICENSE", ...publishedFiles(from, manifest)] : filesIn(from);
  const files = [...new Set(published)].filter(isTaken).toSorted();
  const native = files.find((file) => file.endsWith(".node"));
  if (native !== undefined) throw new Error(`${from}/${native} is for one platform, and the tree is for all`);
  let bytes = 0;
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
    bytes += statSync(join(from, file)).size;
  }
  if (!files.some((file) => TERMS.test(file))) {
    writeFileSync(join(to, "LICENSE"), termsOf(from, name, manifest));
  }
  return { name, files: files.length, bytes };
}

function publishedFiles(from: string, { files = [] }: Manifest): readonly string[] {
  const dropped = files.filter((one) => one.startsWith("!")).map((one) => one.slice(1));
  return files
    .filter((one) => !one.startsWith("!"))
    .flatMap((one) => {
      const path = join(from, one);
      return existsSync(path) && statSync(path).isDirectory()
        ? filesIn(path).map((file) => `${one}/${file}`)
        : globSync(one, { cwd: from });
    })
    .filter((file) => !dropped.some((one) => file === one));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The terms of a package that has no file with them: the section of its page, otherwise the text that its name stands for. */
function termsOf(from: string, name: string, { version, license, author }: Manifest): string {
  const page = readdirSync(from).find((file) => /^readme\b/i.test(file));
  const section = page && /^#+ licen[cs]e\s*\n([\s\S]*)/im.exec(readFileSync(join(from, page), "utf8"))?.[1]?.trim();
  if (section?.includes("Permission is hereby granted") === true) return `${section}\n`;
  if (license !== "MIT") throw new Error(`${name} has no file with its terms (${license ?? "none named"})`);
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  const origin = `${name} ${version} names this licence in its package.json and has no file with its text.`;
  return `MIT License\n\n${origin}\n\nCopyright (c) ${holder}\n\n${MIT}`;
}

if (import.meta.main) {
  const [into] = process.argv.slice(2);
  if (into === undefined) {
    console.error("usage: node deploy/image/tree.ts <folder>");
    process.exit(2);
  }
  if (existsSync(into) && readdirSync(into).length > 0) throw new Error(`${into} is not empty`);
  const lock = readLock();
  const copied = packagesOf(lock).map((from) => {
    const name = nameAt(lock, from);
    return copyPackage({ name, from, to: join(into, isOwn(from) ? `node_modules/${name}` : from) });
  });
  for (const { name, files, bytes } of copied.toSorted((a, b) => b.bytes - a.bytes)) {
    console.log(`${(bytes / 1_000).toFixed(0).padStart(7)} kB ${String(files).padStart(5)} files  ${name}`);
  }
  const total = copied.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${(total / 1_000).toFixed(0).padStart(7)} kB in ${copied.length} packages`);
}
