// The part `image`: builds the image twice, looks into it, and runs it as in production.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findRuntime, program, type Runtime, removeLeftovers } from "./image-run.ts";
import { SCENES } from "./image-scenes.ts";
import { type CheckResult, notRun, resultOf } from "./part.ts";

const ROOT = join(import.meta.dirname, "../..");
const BUILD_MS = 600_000;
/** In MB, as registries count them. */
const MAX_MB = { unpacked: 175, compressed: 60 };
/** Programs that would help an intruder, by file name. The image must have none of them. */
const FORBIDDEN_PROGRAMS =
  /^(?:sh|bash|dash|ash|busybox|apt|apt-get|dpkg|apk|rpm|npm|npx|yarn|corepack|curl|wget|gcc|cc)$/;
const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

interface Inspected {
  readonly Id: string;
  readonly Size: number;
  readonly Created: string;
  readonly HealthCheck?: unknown;
  readonly Config: {
    readonly User?: string;
    readonly Entrypoint?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly StopSignal?: string;
    readonly Labels?: Readonly<Record<string, string>>;
  };
}

/** Builds and checks the image. */
export async function checkImage(): Promise<readonly CheckResult[]> {
  const missing = ["buildah", "podman", "mmdebstrap"].filter((name) => program(name, ["--version"]).code !== 0);
  if (missing.length > 0) return [notRun("image", `${missing.join(", ")} cannot be run`)];
  if (process.getuid?.() !== 0) return [notRun("image", "it needs root")];
  removeLeftovers();
  const built = await build();
  if ("problem" in built) return [resultOf("image: builds", [built.problem])];
  const found = findRuntime(built.image);
  try {
    const scenes = typeof found === "string" ? [notRun("image: runs", found)] : await play(found);
    return [resultOf("image: builds", []), ...inspectImage(built.image), ...scenes, await buildAgain(built.image)];
  } finally {
    removeLeftovers();
    program("buildah", ["rmi", "localhost/recourse-gateway:again"]);
  }
}

async function play(runtime: Runtime): Promise<readonly CheckResult[]> {
  console.log(`the image runs by ${runtime.name}`);
  const results: CheckResult[] = [];
  for (const [name, scene] of Object.entries(SCENES)) {
    const started = performance.now();
    const outcome = await scene(runtime).catch((thrown: unknown) => [String(thrown)]);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    results.push(
      "notRun" in outcome
        ? notRun(`image: ${name}`, outcome.notRun)
        : resultOf(`image: ${name} (${seconds} s)`, outcome),
    );
  }
  return results;
}

type Built = { readonly image: string } | { readonly problem: string };

/** The script prints what it does, and the name of the image on its last line. */
async function build(...args: readonly string[]): Promise<Built> {
  const child = spawn(join(ROOT, "deploy/image/local-build.sh"), args, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: BUILD_MS,
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const image = /^IMAGE=(.+)$/m.exec(stdout)?.[1];
  return image === undefined ? { problem: stderr.trim().split("\n").slice(-15).join("\n") } : { image };
}

async function buildAgain(image: string): Promise<CheckResult> {
  const again = await build("--again");
  if ("problem" in again) return resultOf("image: same id from two builds", [again.problem]);
  const ids = [image, again.image].map((name) => inspectOf(name)?.Id);
  return resultOf(
    `image: same id from two builds (${ids.join(" and ")})`,
    ids[0] === ids[1] ? [] : ["if no file was changed and nothing committed meanwhile, something depends on the time"],
  );
}

function inspectOf(image: string): Inspected | undefined {
  return (JSON.parse(program("podman", ["image", "inspect", image]).stdout) as readonly Inspected[])[0];
}

function inspectImage(image: string): readonly CheckResult[] {
  const inspected = inspectOf(image);
  if (inspected === undefined) return [resultOf("image: settings", ["podman does not know the image"])];
  const container = program("buildah", ["from", image]).stdout.trim();
  const root = program("buildah", ["mount", container]).stdout.trim();
  try {
    return [
      resultOf("image: settings", settingProblems(inspected)),
      sizeOf(image, inspected),
      resultOf("image: files", fileProblems(root)),
      resultOf("image: every package has its licence", licenceProblems(join(root, "app"))),
    ];
  } finally {
    program("buildah", ["rm", container]);
  }
}

function settingProblems({ Created, HealthCheck, Config }: Inspected): readonly string[] {
  const git = (...args: readonly string[]) =>
    program("git", ["-C", ROOT, "-c", "safe.directory=*", ...args]).stdout.trim();
  const { version } = JSON.parse(readFileSync(join(ROOT, "packages/gateway/package.json"), "utf8")) as {
    version: string;
  };
  const commitMs = Number(git("show", "-s", "--format=%ct", "HEAD")) * 1_000;
  const label = (name: string) => Config.Labels?.[`org.opencontainers.image.${name}`];
  const wanted: readonly (readonly [what: string, is: unknown, wanted: unknown])[] = [
    ["user", Config.User, "65532:65532"],
    ["stop signal", Config.StopSignal, "SIGTERM"],
    ["command", Config.Cmd?.join(" "), "serve /etc/recourse/gateway.yaml"],
    ["program", Config.Entrypoint?.[0], "/nodejs/bin/node"],
    ["health check", HealthCheck, undefined],
    ["title", label("title"), "Recourse gateway"],
    ["version", label("version"), version],
    ["revision", label("revision"), git("rev-parse", "HEAD")],
    ["source", label("source"), "https://github.com/recourse-mcp/recourse"],
    ["licenses", label("licenses"), "Apache-2.0"],
    ["created", Date.parse(label("created") ?? ""), commitMs],
    ["time", Date.parse(Created), commitMs],
  ];
  return wanted.flatMap(([what, is, must]) => (is === must ? [] : [`${what} is ${is}, not ${must}`]));
}

/** Layers are compressed as for a registry. */
function sizeOf(image: string, { Size }: Inspected): CheckResult {
  const folder = mkdtempSync(join(tmpdir(), "recourse-image-size-"));
  try {
    const pushed = program("buildah", ["push", "--quiet", "--format=oci", image, `oci:${folder}/image`], 180_000);
    if (pushed.code !== 0) return resultOf("image: size", [pushed.stderr.trim()]);
    const blobs = globSync(`${folder}/image/blobs/sha256/*`).map((file) => statSync(file).size);
    const mb = { unpacked: Size / 1e6, compressed: blobs.reduce((sum, one) => sum + one, 0) / 1e6 };
    const problems = (["unpacked", "compressed"] as const)
      .filter((kind) => mb[kind] > MAX_MB[kind])
      .map((kind) => `${kind}: ${mb[kind].toFixed(1)} MB, more than ${MAX_MB[kind]}`);
    return resultOf(`image: size (${mb.unpacked.toFixed(1)} MB, ${mb.compressed.toFixed(1)} MB compressed)`, problems);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fileProblems(root: string): readonly string[] {
  const paths = globSync("**/*", { cwd: root, exclude: ["proc/**", "sys/**", "dev/**"] });
  const problems = paths.flatMap((path) => {
    const file = path.split("/").at(-1) ?? "";
    const { mode } = lstatSync(join(root, path));
    const isProgram = (mode & 0o170000) === 0o100000 && (mode & 0o111) !== 0;
    const own = path.startsWith("app/");
    return [
      ...(FORBIDDEN_PROGRAMS.test(file) && isProgram ? [`${path} is a program that must not be there`] : []),
      ...((mode & 0o6000) !== 0 && isProgram ? [`${path} runs with the rights of its owner`] : []),
      ...((mode & 0o170000) !== 0o120000 && (mode & 0o002) !== 0 && path !== "tmp"
        ? [`${path} can be changed by all`]
        : []),
      ...(own && /\.(?:map|ts|mts|cts)$/.test(file) ? [`${path} is for development`] : []),
    ];
  });
  return paths.length < 1_000 ? [...problems, `only ${paths.length} files were found`] : problems;
}

function licenceProblems(app: string): readonly string[] {
  const packages = globSync(["node_modules/*/package.json", "node_modules/@*/*/package.json"], { cwd: app });
  const without = packages
    .map((file) => file.replace("/package.json", ""))
    .filter(
      (folder) => !globSync(`${folder}/*`, { cwd: app }).some((file) => LICENCE.test(file.split("/").at(-1) ?? "")),
    );
  const few = packages.length < 30 ? [`only ${packages.length} packages were found`] : [];
  return [...few, ...without.map((folder) => `${folder} has no licence file`)];
}
