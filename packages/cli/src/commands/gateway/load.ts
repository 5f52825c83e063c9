import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";

/** The commands of the gateway, which is a package of its own. */
type GatewayCommands = typeof import("@recourse/gateway/commands");

const NAME = "@recourse/gateway/commands";

/** Runs a command of the gateway, or says how to install it. */
export async function withGateway(io: Io, run: (gateway: GatewayCommands) => Promise<Outcome>): Promise<Outcome> {
  const gateway = (await besideUs()) ?? (await inProject(io.cwd));
  if (gateway !== undefined) return run(gateway);
  return {
    failure: {
      exit: "usage",
      code: "not-installed",
      message: "The gateway is not installed.",
      fix: "npm install @recourse/gateway",
    },
  };
}

/** The package that was installed together with this program. */
async function besideUs(): Promise<GatewayCommands | undefined> {
  try {
    return await import("@recourse/gateway/commands");
  } catch (thrown) {
    // A package that the gateway itself misses is another problem.
    if (isNotFound(thrown) && String(thrown).includes("@recourse/gateway")) return undefined;
    throw thrown;
  }
}

/** The package of the project, for a program that was started by npx or installed globally. */
async function inProject(cwd: string): Promise<GatewayCommands | undefined> {
  let file: string;
  try {
    file = createRequire(join(cwd, "package.json")).resolve(NAME);
  } catch {
    return undefined;
  }
  return (await import(pathToFileURL(file).href)) as GatewayCommands;
}

function isNotFound(thrown: unknown): boolean {
  return (thrown as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
}
