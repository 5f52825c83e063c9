// Checks the packed packages with publint, and those that others import with Are The Types Wrong.
//
//   node scripts/build.ts && node scripts/packaging.ts
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { commandBeside, tarballOf } from "./packed.ts";
import { twoAtOnce } from "./two-at-once.ts";

interface Checked {
  readonly name: string;
  /** Whether others import it. */
  readonly isImported: boolean;
  /** Entry points that have no types. */
  readonly untyped?: readonly string[];
}

// What takes longest comes first.
const PACKAGES: readonly Checked[] = [
  { name: "@recourse/core", isImported: true },
  { name: "@recourse/faults", isImported: true, untyped: ["schema.json"] },
  { name: "@recourse/dialects", isImported: true },
  { name: "@recourse/explain", isImported: true },
  { name: "@recourse/gateway", isImported: true, untyped: ["schema.json", "openapi.json"] },
  { name: "@recourse/bridge", isImported: true },
  { name: "@recourse/testing", isImported: true },
  { name: "@recourse/stores", isImported: true },
  { name: "@recourse/cli", isImported: false },
  { name: "create-recourse", isImported: false },
];

const ATTW = fileURLToPath(new URL("dist/index.js", import.meta.resolve("@arethetypeswrong/cli/package.json")));

const types = PACKAGES.filter(({ isImported }) => isImported).map((one) => () => checkTypes(one));
const files = PACKAGES.map(
  ({ name }) =>
    () =>
      checkFiles(name),
);
await twoAtOnce([...types, ...files]);

async function checkTypes({ name, untyped = [] }: Checked): Promise<void> {
  const excluded = untyped.length === 0 ? [] : ["--exclude-entrypoints", ...untyped];
  const args = [ATTW, tarballOf(name), "--profile", "esm-only", ...excluded];
  const problem = await commandBeside(process.execPath, args, ".").then(
    () => undefined,
    (error: Error) => error.message,
  );
  report(`types of ${name}`, problem === undefined ? [] : [problem]);
}

async function checkFiles(name: string): Promise<void> {
  const tarball = Uint8Array.from(readFileSync(tarballOf(name))).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  for (const one of messages.filter(({ type }) => type !== "error")) {
    console.log(`${name}: ${one.type}: ${formatMessage(one, pkg)}`);
  }
  // The condition names the sources, which only this repository has.
  const errors = messages.filter(({ type, args }) => type === "error" && !JSON.stringify(args).includes("./src/"));
  report(
    `files of ${name}`,
    errors.map((one) => formatMessage(one, pkg) ?? one.code),
  );
}

function report(what: string, problems: readonly string[]): void {
  console.log(`${what}: ${problems.length === 0 ? "good" : "WRONG"}`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
