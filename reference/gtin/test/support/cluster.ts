// A separate PostgreSQL server that tests may kill.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Cluster {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it like a power cut, without closing connections. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a cluster in a folder of its own, and starts it. */
export async function createCluster(): Promise<Cluster> {
  const bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (bin === undefined) throw new Error("PostgreSQL is not installed");
  const folder = await mkdtemp(join(tmpdir(), "gtin-cluster-"));
  await chmod(folder, 0o755);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  const asOwner = await ownerOf(data);
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c fsync=off`;
  const control = (...args: readonly string[]) => asOwner(join(bin, "pg_ctl"), "-D", data, "-w", ...args);
  const start = async () => {
    await control("-l", join(data, "log"), "-o", settings, "start");
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
    url: `postgres://postgres@127.0.0.1:${port}/gtin`,
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
