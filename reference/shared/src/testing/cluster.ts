// A separate PostgreSQL server that tests may kill.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

/** A PostgreSQL server of a test. */
export interface Cluster {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it like a power cut, without closing connections. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Options of `createCluster`. */
export interface ClusterOptions {
  /** The database that `url` names; it is not created. @default "postgres" */
  readonly database?: string;
  /** Settings of the server, as `name=value`. @default only `fsync=off` */
  readonly settings?: readonly string[];
}

/** Makes a cluster in a folder of its own, and starts it. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { database = "postgres", settings = ["fsync=off"] } = options;
  const bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (bin === undefined) throw new Error("PostgreSQL is not installed");
  const folder = await mkdtemp(join(tmpdir(), "test-cluster-"));
  await chmod(folder, 0o755);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  const asOwner = await ownerOf(data);
  const port = await freePort();
  const own = ["listen_addresses=127.0.0.1", `unix_socket_directories=${data}`, ...settings];
  const flags = [`-p ${port}`, ...own.map((setting) => `-c ${setting}`)].join(" ");
  const control = (...args: readonly string[]) => asOwner(join(bin, "pg_ctl"), "-D", data, "-w", ...args);
  const start = async () => {
    await control("-l", join(data, "log"), "-o", flags, "start");
  };
  const kill = async () => {
    await control("-m", "immediate", "stop");
  };
  await asOwner(
    join(bin, "initdb"),
    "-D",
    data,
    "-A",
    "trust",
    "-U",
    "postgres",
    "--no-sync",
    "-E",
    "UTF8",
    "--locale=C",
  );
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    port,
    start,
    kill,
    close: async () => {
      await kill().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so there it runs as the user that its package made. */
async function ownerOf(data: string): Promise<(...command: readonly string[]) => Promise<unknown>> {
  if (userInfo().uid !== 0) return (program = "", ...args) => run(program, args);
  const [{ stdout: uid }, { stdout: gid }] = await Promise.all([
    run("id", ["-u", "postgres"]),
    run("id", ["-g", "postgres"]),
  ]);
  await chown(data, Number(uid), Number(gid));
  return (...command) => run("runuser", ["-u", "postgres", "--", ...command]);
}
