// Writes api/<package>.d.ts: the signature of every public name, without comments, so that a change of the API is a
// visible line of a diff. It reads the declarations of the last build. With --check it fails if a file differs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { coreDoor } from "./core-doors.ts";

const PACKAGES = ["faults", "dialects", "explain", "testing", "bridge", "stores", "gateway"];
const FOLDER = "api";
/** Packages that pass on names of the core: their signatures are shown, since users see no other. */
const FRONT_DOORS = ["packages/faults", "packages/dialects"];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const coreDeclarations: Plugin = {
  name: "declarations of the core",
  resolveId(id) {
    const types = coreDoor(id)?.types;
    return types && resolve(types);
  },
};

/** The public names by entry point, and the declarations behind them. */
async function reportApi(folder: string): Promise<string> {
  const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const doors = Object.entries(exports).flatMap(([door, target]) =>
    typeof target === "string" ? [] : [{ name: join(name, door), types: join(folder, target.types) }],
  );
  const isFrontDoor = FRONT_DOORS.includes(folder);
  const build = await rolldown({
    input: Object.fromEntries(doors.map((door) => [door.name, door.types])),
    plugins: [...(isFrontDoor ? [coreDeclarations] : []), dts({ dtsInput: true, sourcemap: false })],
    external: (id) =>
      !id.startsWith(".") && !id.startsWith("/") && !id.startsWith(folder) && !(isFrontDoor && coreDoor(id)),
  });
  const { output } = await build.generate({
    format: "esm",
    chunkFileNames: "[name].ts",
    entryFileNames: "[name].d.ts",
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: "declarations.d", test: /./ }] },
  });
  await build.close();
  const chunks = output.filter((one) => one.type === "chunk");
  const lists = doors.map((door) => {
    const names = chunks.find((one) => one.isEntry && one.name === door.name)?.exports ?? [];
    return `// ${door.name}\n${names
      .toSorted()
      .map((one) => `//   ${one}\n`)
      .join("")}`;
  });
  const declarations = chunks.filter((one) => !one.isEntry).map(({ code }) => withoutComments(code));
  return `// The public API of ${name}, written by \`npm run build && node scripts/api-report.ts\`.\n\n${lists.join("\n")}\n${declarations.join("\n")}`;
}

/** Declarations hold no regular expressions, so a comment starts wherever no string is open. */
function withoutComments(code: string): string {
  const kept = code.replaceAll(/("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/.*$/gm, "$1");
  return kept.replaceAll(/^export \{[\s\S]*?\};?\n?/gm, "").replaceAll(/^[ \t]*\n/gm, "");
}

const differing: string[] = [];
mkdirSync(FOLDER, { recursive: true });
for (const one of PACKAGES) {
  const file = join(FOLDER, `${one}.d.ts`);
  const report = await reportApi(join("packages", one));
  const isSame = readOr(file) === report;
  if (!isSame) differing.push(basename(file));
  if (!process.argv.includes("--check")) writeFileSync(file, report);
}
if (process.argv.includes("--check") && differing.length > 0) {
  console.error(`The public API changed: ${differing.join(", ")}. Run npm run build && node scripts/api-report.ts`);
  process.exitCode = 1;
} else console.log(`api: ${PACKAGES.length} packages, ${differing.length} changed`);

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
