// The part `stack`: the folder of `recourse init --compose`, brought up with stand-in images and used as the docs describe it.
//
// The image of the gateway is built from this work tree, and writes the folder. If RECOURSE_IMAGE names another image, the
// sources write it, because that image may have older files.
//
// docker-compose talks to podman, which has its API. Without systemd nobody runs the health checks of podman's containers, so
// this file does.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "@recourse/test-kit/network";
import { program } from "./image-run.ts";
import { type CheckResult, notRun, resultOf, until } from "./part.ts";
import { STACK_STEPS, type Stack } from "./stack-steps.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The name of the project is fixed, so that a run finds what a crashed one left. */
const PROJECT = "recourse-check-stack";
const PROJECT_LABEL = `com.docker.compose.project=${PROJECT}`;
const CLI = join(ROOT, "packages/cli/src/main.ts");
const BUILD_MS = 600_000;
const COMPOSE_MS = 100_000;
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  podman: ["--version"],
  buildah: ["--version"],
  runc: ["--version"],
  mmdebstrap: ["--version"],
};
/** Compose 1 of Debian, or Compose 2. */
const COMPOSES: readonly (readonly [string, ...string[]])[] = [["docker-compose"], ["docker", "compose"]];

/** What no package of Debian has. */
const STAND_INS: Readonly<Record<string, string>> = {
  "stack: Valkey": "Debian has no package of it; Redis stands in",
  "stack: PostgreSQL 17": "the version of Debian stands in",
  "stack: nginx 1.28": "the version of Debian stands in",
  "stack: collector and Grafana": "Debian has no packages of them; their files are checked by the part files",
};

/** Brings the stack up, uses it, and takes it down again. */
export async function checkStack(): Promise<readonly CheckResult[]> {
  const missing = Object.entries(PROGRAMS).filter(([name, args]) => program(name, args).code !== 0);
  if (missing.length > 0) return [notRun("stack", `${missing.map(([name]) => name).join(", ")} cannot be run`)];
  const compose = COMPOSES.find(([name, ...args]) => program(name, [...args, "version"]).code === 0);
  if (compose === undefined) return [notRun("stack", "neither docker-compose nor docker compose is installed")];
  if (process.getuid?.() !== 0) return [notRun("stack", "it needs root")];
  const { RECOURSE_IMAGE: given } = process.env;
  const gateway = given === undefined ? await printedBy("local-build.sh") : { image: given };
  const services = await printedBy("local-services.sh");
  if ("problem" in gateway) return [resultOf("stack: image of the gateway", [gateway.problem])];
  if ("problem" in services) return [resultOf("stack: images of the services", [services.problem])];
  const folder = mkdtempSync(join(tmpdir(), "recourse-stack-"));
  const ending = new AbortController();
  const results: CheckResult[] = [];
  try {
    const stack = await prepare({ folder, compose, gateway: gateway.image, services: services.image }, ending.signal);
    for (const [name, step] of Object.entries(STACK_STEPS)) {
      const started = performance.now();
      const problems = await step(stack).then(
        () => [],
        (thrown: unknown) => [thrown instanceof Error ? thrown.message : String(thrown)],
      );
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      results.push(resultOf(`stack: ${name} (${seconds} s)`, problems));
      // What follows needs the same stack.
      if (problems.length > 0) break;
    }
    const left = Object.keys(STACK_STEPS).slice(results.length);
    results.push(...left.map((name) => notRun(`stack: ${name}`, "a step before it failed")));
    if (results.some(({ outcome }) => outcome === "failed")) printLogs(stack);
  } catch (thrown) {
    results.push(resultOf("stack: prepared", [thrown instanceof Error ? thrown.message : String(thrown)]));
  } finally {
    ending.abort();
    removeProject();
    rmSync(folder, { recursive: true, force: true });
  }
  return [...results, ...Object.entries(STAND_INS).map(([name, why]) => notRun(name, why))];
}

type Printed = { readonly image: string } | { readonly problem: string };

/** Scripts print what they do to stderr, and the name of the image on the last line of stdout. */
async function printedBy(script: string): Promise<Printed> {
  const child = spawn(join(ROOT, "deploy/image", script), { stdio: ["ignore", "pipe", "pipe"], timeout: BUILD_MS });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const image = /^\w+=(.+)$/m.exec(stdout)?.[1];
  return image === undefined ? { problem: stderr.trim().split("\n").slice(-15).join("\n") } : { image };
}

interface Ingredients {
  readonly folder: string;
  readonly compose: readonly [string, ...string[]];
  readonly gateway: string;
  readonly services: string;
}

/** Starts the API of podman, and writes the folder: by the image, so that the files come from the built package. */
async function prepare({ folder, compose, gateway, services }: Ingredients, signal: AbortSignal): Promise<Stack> {
  removeProject();
  const app = join(folder, "app");
  const settings = join(folder, "containers.conf");
  // Machines that may not raise limits need lower ones.
  const ulimits = '["nofile=1024:1024", "nproc=4096:4096"]';
  writeFileSync(
    settings,
    `[containers]\ndefault_ulimits = ${ulimits}\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n`,
  );
  const socket = join(folder, "podman.sock");
  const env = { ...process.env, CONTAINERS_CONF: settings };
  const service = spawn("podman", ["system", "service", "--time=0", `unix://${socket}`], { env, stdio: "ignore" });
  signal.addEventListener("abort", () => service.kill("SIGKILL"), { once: true });
  process.once("exit", () => service.kill("SIGKILL"));
  await until("podman serves its API", () => existsSync(socket));

  const podman = (...args: readonly string[]) => program("env", [`CONTAINERS_CONF=${settings}`, "podman", ...args]);
  const [port, adminPort] = [await freePort(), await freePort()];
  const options = ["--json", `--listen=127.0.0.1:${port}`, `--admin-listen=127.0.0.1:${adminPort}`];
  const inImage = ["run", "--rm", "--network=none", "--user=0:0", `--volume=${folder}:/out`, gateway];
  const written =
    process.env["RECOURSE_IMAGE"] === undefined
      ? podman(...inImage, "init", "--compose", "/out/app", ...options)
      : program(process.execPath, ["--conditions=@recourse/source", CLI, "init", "--compose", app, ...options]);
  if (written.code !== 0) throw new Error(`recourse init --compose: ${written.stderr}`);
  const images = { RECOURSE: gateway, NGINX: services, VALKEY: services, POSTGRES: services };
  const lines = Object.entries(images).map(([name, image]) => `${name}_IMAGE=${image}\n`);
  writeFileSync(join(app, ".env"), `${readFileSync(join(app, ".env"), "utf8")}\n${lines.join("")}`);
  keepHealth(settings, signal);
  const { url, adminUrl, key, adminKey } = JSON.parse(written.stdout) as Stack;
  const composeEnv = {
    ...env,
    DOCKER_HOST: `unix://${socket}`,
    COMPOSE_PROJECT_NAME: PROJECT,
    COMPOSE_HTTP_TIMEOUT: "90",
  };
  return {
    ...{ folder: app, project: PROJECT, url, adminUrl, key, adminKey, podman },
    async compose(...args) {
      const [name, ...words] = compose;
      const child = spawn(name, [...words, ...args], {
        cwd: app,
        env: composeEnv,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: COMPOSE_MS,
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      if (code !== 0) throw new Error(`${[...compose, ...args].join(" ")}: ${stderr.trim() || `ended with ${code}`}`);
      return stdout;
    },
  };
}

/** Runs the health checks of all containers of the project, as the timers of systemd would. */
function keepHealth(settings: string, signal: AbortSignal): void {
  const script =
    'while true; do for id in $(podman ps --quiet --filter "label=$0"); do podman healthcheck run "$id"; done; sleep 1; done';
  const loop = spawn("sh", ["-c", script, PROJECT_LABEL], {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: "ignore",
  });
  signal.addEventListener("abort", () => loop.kill("SIGKILL"), { once: true });
  process.once("exit", () => loop.kill("SIGKILL"));
}

/** Removes what this or an earlier run left: containers, networks and volumes of the project. */
function removeProject(): void {
  const listed = (kind: readonly string[], format: string) =>
    program("podman", [...kind, "--filter", `label=${PROJECT_LABEL}`, "--format", format])
      .stdout.split("\n")
      .filter(Boolean);
  const containers = listed(["ps", "--all"], "{{.ID}}");
  if (containers.length > 0) program("podman", ["rm", "--force", "--time=0", ...containers]);
  const networks = listed(["network", "ls"], "{{.Name}}");
  if (networks.length > 0) program("podman", ["network", "rm", "--force", ...networks]);
  const volumes = listed(["volume", "ls"], "{{.Name}}");
  if (volumes.length > 0) program("podman", ["volume", "rm", "--force", ...volumes]);
}

function printLogs({ podman }: Stack): void {
  const names = podman(
    "ps",
    "--all",
    "--filter",
    `label=${PROJECT_LABEL}`,
    "--format",
    "{{.Names}} {{.Status}}",
  ).stdout;
  for (const line of names.split("\n").filter(Boolean)) {
    const { stdout, stderr } = podman("logs", "--tail=15", line.split(" ")[0] ?? "");
    console.error(`--- ${line}\n${stdout}${stderr}`);
  }
}
