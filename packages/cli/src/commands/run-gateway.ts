import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure } from "../program/output.ts";

/** Runs `recourse serve`. */
export async function runServe(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [file, stray] = given.positionals;
  if (stray !== undefined) return { failure: usageFailure("serve takes one file.", "recourse serve --help") };
  const { check, database, watch, json } = given.options;
  if (database === true && check !== true)
    return { failure: usageFailure("--database belongs to --check.", "recourse serve --check --database") };
  const flags = { check: check === true, database: database === true, watch: watch === true, json: json === true };
  return withGateway(io, ({ serve }) => serve({ file, ...flags }, io));
}

/** Runs `recourse init`. */
export async function runInit(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [file, stray] = given.positionals;
  if (stray !== undefined) return { failure: usageFailure("init takes one file.", "recourse init --help") };
  const { compose, force, json } = given.options;
  const text = (name: string) => textOption(given.options, name);
  return withGateway(io, ({ init }) =>
    init(
      {
        file,
        compose: compose === true,
        url: text("url"),
        command: text("command"),
        openapi: text("openapi"),
        name: text("name"),
        listen: text("listen"),
        adminListen: text("admin-listen"),
        force: force === true,
        json: json === true,
      },
      io,
    ),
  );
}

const ACTIONS = ["add", "list", "revoke"] as const;

/** Runs `recourse keys`. */
export async function runKeys(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [word, id, stray] = given.positionals;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined || stray !== undefined || (action === "list" && id !== undefined))
    return { failure: usageFailure(`Say what to do: ${ACTIONS.join(", ")}.`, "recourse keys --help") };
  return withGateway(io, ({ manageKeys }) =>
    manageKeys(
      {
        action,
        id,
        file: textOption(given.options, "config"),
        tenant: textOption(given.options, "tenant"),
        tools: namesOption(given, "tools"),
        scopes: namesOption(given, "scopes"),
        entitlements: namesOption(given, "entitlements"),
        dialect: textOption(given.options, "dialect") as Parameters<typeof manageKeys>[0]["dialect"],
        expires: textOption(given.options, "expires"),
        operator: given.options["operator"] === true,
        role: textOption(given.options, "role") as Parameters<typeof manageKeys>[0]["role"],
        json: given.options["json"] === true,
      },
      io,
    ),
  );
}

/** The commands of the gateway, which is a package of its own. */
type GatewayCommands = typeof import("@recourse/gateway/commands");

const GATEWAY_MODULE = "@recourse/gateway/commands";

/** Runs a command of the gateway, or says how to install it. */
export async function withGateway(io: Io, run: (gateway: GatewayCommands) => Promise<CliOutcome>): Promise<CliOutcome> {
  const gateway = await loadGateway(io);
  return "failure" in gateway ? gateway : run(gateway);
}

/** Loads the commands of the gateway, or says how to install it. */
export async function loadGateway({
  cwd,
}: Pick<Io, "cwd">): Promise<GatewayCommands | { readonly failure: CliFailure }> {
  const gateway = (await loadBeside()) ?? (await loadFromProject(cwd));
  if (gateway !== undefined) return gateway;
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
async function loadBeside(): Promise<GatewayCommands | undefined> {
  try {
    return await import("@recourse/gateway/commands");
  } catch (thrown) {
    // A package that the gateway itself misses is another problem.
    if (isNotFound(thrown) && String(thrown).includes("@recourse/gateway")) return undefined;
    throw thrown;
  }
}

/** The package of the project, for a program that was started by npx or installed globally. */
async function loadFromProject(cwd: string): Promise<GatewayCommands | undefined> {
  let file: string;
  try {
    file = createRequire(join(cwd, "package.json")).resolve(GATEWAY_MODULE);
  } catch {
    return undefined;
  }
  return (await import(pathToFileURL(file).href)) as GatewayCommands;
}

function isNotFound(thrown: unknown): boolean {
  return (thrown as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
}

/** The names in an option that may be repeated, and that takes several with commas. */
export function namesOption({ options }: ParsedArguments, name: string): readonly string[] | undefined {
  const value = options[name];
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one: string) => one.split(",")).filter((one) => one !== "");
}
