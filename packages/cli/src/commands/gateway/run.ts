import type { Given, Outcome } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";
import { withGateway } from "./load.ts";
import { namesOf, textOf } from "./options.ts";

const ACTIONS = ["add", "list", "revoke"] as const;

/** Runs `recourse serve`. */
export async function runServe(given: Given, io: Io): Promise<Outcome> {
  const [file, stray] = given.positionals;
  if (stray !== undefined) return usage("serve takes one file.", "recourse serve --help");
  const { check, watch, json } = given.options;
  return withGateway(io, ({ serve }) =>
    serve({ file, check: check === true, watch: watch === true, json: json === true }, io),
  );
}

/** Runs `recourse init`. */
export async function runInit(given: Given, io: Io): Promise<Outcome> {
  const [file, stray] = given.positionals;
  if (stray !== undefined) return usage("init takes one file.", "recourse init --help");
  const { force, json } = given.options;
  const text = (name: string) => textOf(given, name);
  return withGateway(io, ({ init }) =>
    init(
      {
        file,
        url: text("url"),
        command: text("command"),
        openapi: text("openapi"),
        name: text("name"),
        listen: text("listen"),
        force: force === true,
        json: json === true,
      },
      io,
    ),
  );
}

/** Runs `recourse keys`. */
export async function runKeys(given: Given, io: Io): Promise<Outcome> {
  const [word, id, stray] = given.positionals;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined || stray !== undefined || (action === "list" && id !== undefined))
    return usage(`Say what to do: ${ACTIONS.join(", ")}.`, "recourse keys --help");
  return withGateway(io, ({ manageKeys }) =>
    manageKeys(
      {
        action,
        id,
        file: textOf(given, "config"),
        tenant: textOf(given, "tenant"),
        tools: namesOf(given, "tools"),
        scopes: namesOf(given, "scopes"),
        entitlements: namesOf(given, "entitlements"),
        dialect: textOf(given, "dialect") as Parameters<typeof manageKeys>[0]["dialect"],
        expires: textOf(given, "expires"),
      },
      io,
    ),
  );
}

function usage(message: string, fix: string): Outcome {
  return { failure: { exit: "usage", code: "usage", message, fix } };
}
