// Compares objects with the types of Kubernetes: by the compiler, which refuses members that do not exist, and by the validators
// of the same package, which know the forms of values.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { KubernetesObject } from "./kubernetes.ts";

const DEPLOY = join(import.meta.dirname, "..");
const FOLDER = join(DEPLOY, ".cache/types");

/** Packages by the groups that they have; every other group is one of Kubernetes itself. */
const PACKAGES: Readonly<Record<string, string>> = {
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator",
};

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  return `${PACKAGES[apiVersion] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

/** A member that a probe does not have: if the compiler takes it, nothing else that it says counts. */
const WRONG = `import type { IProbe } from "kubernetes-models/v1/Probe";
// @ts-expect-error
export const wrong = { httpGet: { path: "/ready", port: "mcp" }, periodSecond: 1 } satisfies IProbe;
export const right = { httpGet: { path: "/ready", port: "mcp" }, periodSeconds: 1 } satisfies IProbe;
`;

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2024",
    types: [],
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

/** What the compiler says about objects as literals of their types. */
export function typeProblems(objects: readonly KubernetesObject[]): readonly string[] {
  mkdirSync(FOLDER, { recursive: true });
  const literals = objects.map((object, at) => {
    const type = `import("${moduleOf(object)}").I${object.kind}`;
    return `export const object${at} = ${JSON.stringify(object, null, 2)} satisfies ${type};\n`;
  });
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(OPTIONS));
  writeFileSync(join(FOLDER, "objects.ts"), literals.join(""));
  writeFileSync(join(FOLDER, "wrong.ts"), WRONG);
  try {
    execFileSync("tsc", ["-p", FOLDER, "--pretty", "false"], { encoding: "utf8", cwd: FOLDER });
    return [];
  } catch (error) {
    const { stdout = "" } = error as { readonly stdout?: string };
    const lines = stdout.split("\n").filter((line) => line !== "");
    return lines.length > 0 ? lines : [String(error)];
  }
}

interface Model {
  validate(): void;
}

/** What the validator of its kind says about an object. */
export async function valueProblems(object: KubernetesObject): Promise<readonly string[]> {
  const file = join(DEPLOY, "node_modules", `${moduleOf(object)}.js`);
  const classes = (await import(pathToFileURL(file).href)) as Readonly<
    Record<string, new (data: KubernetesObject) => Model>
  >;
  const ModelClass = classes[object.kind];
  if (ModelClass === undefined) return [`${object.apiVersion} has no ${object.kind}`];
  try {
    new ModelClass(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind} ${object.metadata.name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
