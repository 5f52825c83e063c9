// What the check needs besides Node: PostgreSQL on a free port, redis-server, Chromium, the programs that check alerts, and
// fonts for pictures.
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createCluster } from "@recourse/test-kit/postgres";

/** Debian packages and how to see whether they are there. Tests start their own servers of Redis. */
const PACKAGES: Readonly<Record<string, () => boolean>> = {
  postgresql: () => globSync("/usr/lib/postgresql/*/bin/initdb").length > 0,
  "redis-server": () => isOnPath("redis-server"),
  chromium: () => isOnPath("chromium"),
  prometheus: () => isOnPath("promtool"),
  "prometheus-alertmanager": () => isOnPath("amtool"),
  "fonts-inter": () => existsSync("/usr/share/fonts/opentype/inter"),
  "fonts-jetbrains-mono": () => existsSync("/usr/share/fonts/truetype/jetbrains-mono"),
};
const ATTEMPTS = 3;

/** The services of a check. */
export interface Services {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Installs what is missing, and starts a PostgreSQL that only this check uses. */
export async function startServices(): Promise<Services> {
  const missing = Object.keys(PACKAGES).filter((name) => PACKAGES[name]?.() === false);
  if (missing.length > 0) {
    console.log(`installing ${missing.join(", ")}`);
    run("apt-get", "update", "-qq");
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing);
  }
  // Nothing here has to survive a crash.
  const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];
  const cluster = await createCluster({ settings });
  return { env: { TEST_DATABASE_URL: cluster.url }, stop: () => cluster.close() };
}

function run(program: string, ...args: readonly string[]): void {
  for (let attempt = 1; ; attempt += 1) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { status } = spawnSync(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    if (status === 0) return;
    if (attempt === ATTEMPTS) throw new Error(`${program} ${args.join(" ")} failed`);
  }
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
