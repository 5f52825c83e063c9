// The services that the libraries of the study talk to, on ports that its cases name: PostgreSQL that asks one user for a
// password, Redis without and with a password and as a replica, and MariaDB.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "@recourse/test-kit/postgres";

/** The services of a run. */
export interface StudyServices {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const REDIS = {
  open: { port: 29_033, args: [] },
  password: { port: 29_034, args: ["--requirepass", "PlantedRedisPw"] },
  replica: { port: 29_035, args: ["--replicaof", "127.0.0.1 29033"] },
} as const;
const MARIADB_PORT = 29_036;

const MARIADB_SETUP = `
  create database if not exists app;
  drop user if exists ''@localhost;
  create user if not exists app@'127.0.0.1' identified by 'PlantedMyPw1', app@localhost identified by 'PlantedMyPw1';
  grant select, insert, update, delete on app.* to app@'127.0.0.1', app@localhost;
  use app;
  create table customers (id int primary key);
  insert into customers values (1);
  create table orders (id int primary key, email varchar(20) not null unique, qty int not null check (qty > 0),
    customer int, foreign key (customer) references customers (id));
  insert into orders values (1, 'ann@example.com', 1, 1)`;

/** Starts them all. */
export async function startStudyServices(): Promise<StudyServices> {
  const folder = mkdtempSync(join(tmpdir(), "library-errors-"));
  chmodSync(folder, 0o755);
  const access = join(folder, "pg_hba.conf");
  writeFileSync(access, "host all pwuser 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n");
  const cluster = await createCluster({ settings: ["fsync=off", `hba_file=${access}`] });
  const programs = Object.values(REDIS).map(({ port, args }) =>
    start("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...args]),
  );
  programs.push(startMariaDb(folder));
  const ports = [...Object.values(REDIS).map(({ port }) => port), MARIADB_PORT];
  await Promise.all(ports.map(answers));
  execFileSync("mariadb", ["--no-defaults", "-uroot", "-S", join(folder, "mariadb", "socket"), "-e", MARIADB_SETUP]);
  return {
    env: { STUDY_POSTGRES: String(cluster.port) },
    stop: async () => {
      for (const program of programs) program.kill("SIGKILL");
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: "ignore" });
}

function startMariaDb(folder: string): ChildProcess {
  const data = join(folder, "mariadb");
  mkdirSync(data);
  const [user, group] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "mysql"], { encoding: "utf8" })));
  if (process.getuid?.() === 0) chownSync(data, user ?? 0, group ?? 0);
  const own = ["--no-defaults", `--datadir=${data}`, "--user=mysql"];
  execFileSync("mariadb-install-db", [...own, "--auth-root-authentication-method=normal"], { stdio: "ignore" });
  const socket = `--socket=${join(data, "socket")}`;
  return start("mariadbd", [...own, socket, `--port=${MARIADB_PORT}`, "--bind-address=127.0.0.1"]);
}

/** Ends when something accepts connections on the port. */
async function answers(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("close", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(200);
  }
}
