// Builds the manifests: each overlay alone and with all components that it does not have, and one of them with each alone.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { parse, parseAllDocuments } from "yaml";
import type { KubernetesObject } from "./kubernetes.ts";

const DEPLOY = join(import.meta.dirname, "..");
const KUBERNETES = join(DEPLOY, "kubernetes");
const COMBINATIONS = join(DEPLOY, ".cache/combinations");

/** The overlay that gets each component alone. A build takes more than a second. */
const ONE_BY_ONE = "shared";

/** A folder that kustomize builds. */
export interface Combination {
  /** Such as `shared + reload`. */
  readonly name: string;
  /** The overlay, or `base`. */
  readonly overlay: string;
  /** All its components: those of the overlay, and those that were added. */
  readonly components: readonly string[];
  readonly folder: string;
}

/** A program that builds folders. */
export interface Kustomize {
  readonly name: string;
  /** The objects as YAML. It fails with what the program says. */
  build(folder: string): Promise<string>;
}

/** The programs that this machine has: that of npm, which is for one platform only, and kubectl. */
export function findKustomize(): readonly Kustomize[] {
  const name = `kustomize-${process.platform}-${process.arch}`;
  const binary = join(DEPLOY, "node_modules/@install-binary", name, name);
  const hasKubectl = spawnSync("kubectl", ["kustomize", "--help"], { stdio: "ignore" }).status === 0;
  return [
    ...(existsSync(binary) ? [builder("kustomize 4.5.4", binary, "build")] : []),
    ...(hasKubectl ? [builder("kubectl", "kubectl", "kustomize")] : []),
  ];
}

function builder(name: string, program: string, command: string): Kustomize {
  return { name, build: async (folder) => (await promisify(execFile)(program, [command, folder])).stdout };
}

/** The objects of a YAML text with several documents. */
export function readObjects(text: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text);
  return [documents].flat().map((one) => one.toJS() as KubernetesObject);
}

/** Writes a folder for every combination. */
export function writeCombinations(): readonly Combination[] {
  rmSync(COMBINATIONS, { recursive: true, force: true });
  const components = foldersIn("components");
  const base: Combination = { name: "base", overlay: "base", components: [], folder: join(KUBERNETES, "base") };
  return [base, ...foldersIn("overlays").flatMap((overlay) => combine(overlay, components))];
}

function foldersIn(name: string): readonly string[] {
  return globSync(`${name}/*`, { cwd: KUBERNETES })
    .map((path) => basename(path))
    .toSorted();
}

function combine(overlay: string, all: readonly string[]): readonly Combination[] {
  const folder = join(KUBERNETES, "overlays", overlay);
  const file = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as { readonly components?: string[] };
  const own = (file.components ?? []).map((path) => basename(path));
  const missing = all.filter((one) => !own.includes(one));
  const alone = overlay === ONE_BY_ONE ? missing.map((one) => [one]) : [];
  const sets = [...alone, missing];
  return [
    { name: overlay, overlay, components: own, folder },
    ...sets.map((added) => ({
      name: [overlay, ...added].join(" + "),
      overlay,
      components: [...own, ...added],
      folder: writeCombination(overlay, added),
    })),
  ];
}

function writeCombination(overlay: string, added: readonly string[]): string {
  const folder = join(COMBINATIONS, [overlay, ...added].join("-"));
  mkdirSync(folder, { recursive: true });
  const from = (path: string) => relative(folder, join(KUBERNETES, path));
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [from(`overlays/${overlay}`)],
    components: added.map((one) => from(`components/${one}`)),
  };
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  return folder;
}
