import { withoutForeignSequences } from "../terminal/printable.ts";
import { createTerminal } from "../terminal/terminal.ts";
import type {
  CliCommand,
  CliFailure,
  CliOutcome,
  ExitName,
  Io,
  OptionValues,
  Output,
  ParsedArguments,
} from "./command.ts";
import { allOptions, type CommandLine, readCommandLine } from "./command-line.ts";
import { commandHelp, programHelp } from "./help.ts";
import { programVersion } from "./node-version.ts";
import { bugFailure, causeDetail, failureLine, failureText } from "./output.ts";
import { createHider, type Hider, typedSecrets } from "./secrets.ts";

/** Runs one command line and writes how it failed, if it did. `args` is what follows the name of the program. */
export async function runProgram(commands: readonly CliCommand[], args: readonly string[], io: Io): Promise<ExitName> {
  const line = readCommandLine(commands, args);
  switch (line.do) {
    case "version":
      io.stdout.write(`${programVersion()}\n`);
      return "ok";
    case "help": {
      const terminal = createTerminal(io.stdout, io.env, line.options);
      io.stdout.write(
        line.command === undefined ? programHelp(commands, terminal) : commandHelp(line.command, terminal),
      );
      return "ok";
    }
    case "refuse":
      return showFailure(await refusalFailure(line), guardIo(io, createHider()), optionsBeforeRest(args));
    case "run":
      return runCommand(line.command, line.given, io);
    default:
      return line satisfies never;
  }
}

async function runCommand(command: CliCommand, given: ParsedArguments, io: Io): Promise<ExitName> {
  const secrets = typedSecrets(given, allOptions(command.options), io.env);
  const hider = await hiderFor(command, secrets);
  hider.hide(...secrets);
  const guarded = guardIo(io, hider);
  const outcome = await runOrCatch(command, given, guarded);
  const exit = "failure" in outcome ? showFailure(outcome.failure, guarded, given.options) : outcome.exit;
  if (command.untilStopped === true && "exit" in outcome) return outcome.exit;
  // What was known when Ctrl-C came has been written, but it is not the whole answer.
  return io.signal.aborted ? "interrupted" : exit;
}

async function runOrCatch(command: CliCommand, given: ParsedArguments, io: Io): Promise<CliOutcome> {
  try {
    return await command.run(given, io);
  } catch (thrown) {
    return io.signal.aborted ? { exit: "interrupted" } : { failure: bugFailure(thrown) };
  }
}

/** Only commands that reach servers can meet a secret in another encoding, and the library takes time to load. */
async function hiderFor({ takesProgram, options }: CliCommand, secrets: readonly string[]): Promise<Hider> {
  const reachesServers = takesProgram === true || Object.values(options).some(({ secret }) => secret !== undefined);
  if (!reachesServers && secrets.length === 0) return createHider();
  const { createSecretFilter } = await import("@recourse/core");
  return createHider(createSecretFilter);
}

/** Everything that a command writes goes through here: secrets and foreign control characters are replaced. */
function guardIo(io: Io, hider: Hider): Io {
  const guard = (output: Output): Output => ({
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns;
    },
    write: (text) => output.write(withoutForeignSequences(hider.clean(text))),
    writeCleaned: (text) => output.write(withoutForeignSequences(text)),
  });
  return { ...io, stdout: guard(io.stdout), stderr: guard(io.stderr), ...hider };
}

function showFailure(failure: CliFailure, io: Io, options: OptionValues): ExitName {
  // After Ctrl-C the person knows why.
  if (io.signal.aborted) return "interrupted";
  const json = options["json"] === true;
  io.stderr.write(json ? failureLine(failure) : failureText(failure, createTerminal(io.stderr, io.env, options)));
  if (options["debug"] === true && failure.cause !== undefined) io.stderr.write(causeDetail(failure.cause));
  return failure.exit;
}

async function refusalFailure(line: CommandLine & { do: "refuse" }): Promise<CliFailure> {
  const { nearestNames } = await import("@recourse/core");
  const [nearest] = line.unknown === undefined ? [] : nearestNames(line.unknown, line.known, 1);
  const message = nearest === undefined ? line.message : `${line.message} Did you mean ${nearest}?`;
  return { exit: "usage", code: "usage", message, fix: line.fix };
}

/** A command line that cannot be read still says how its failure is to be written. */
function optionsBeforeRest(args: readonly string[]): OptionValues {
  const own = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  return { json: own.includes("--json") };
}
