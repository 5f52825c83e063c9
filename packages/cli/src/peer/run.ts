import { toLine } from "@recourse/core/safety";
import {
  type Arrival,
  MISBEHAVIOURS,
  misbehave,
  readPeerOptions,
  STDIO_MISBEHAVIOURS,
  serveThisProcess,
} from "@recourse/testing/peer";
import type { CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { layOut, wrapText } from "../terminal/layout.ts";
import { createTerminal, type Terminal } from "../terminal/terminal.ts";
import { buildCatalogue, type MisbehaviourEntry, type PeerCatalogue } from "./catalogue.ts";

/** Runs the peer until Ctrl-C or the end of stdin, or shows what it can do. */
export async function runPeer(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [stray] = given.positionals;
  if (stray !== undefined)
    return { failure: usageFailure(`peer takes only options, but got "${stray}".`, "recourse peer --help") };
  if (given.options["list"] === true) return showList(given, io);
  return given.options["stdio"] === true ? overStdio(given, io) : overHttp(given, io);
}

function showList({ options }: ParsedArguments, io: Io): CliOutcome {
  const catalogue = buildCatalogue();
  if (options["json"] === true) writeJson(io.stdout, catalogue);
  else io.stdout.write(listText(catalogue, createTerminal(io.stdout, io.env, options)));
  return { exit: "ok" };
}

async function overStdio({ options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  if (options["port"] !== undefined)
    return { failure: usageFailure("--port and --stdio exclude each other.", "recourse peer --help") };
  const read = readPeerOptions(options, STDIO_MISBEHAVIOURS);
  if (!read.ok) return { failure: usageFailure(read.problem, "recourse peer --list") };
  await serveThisProcess({ ...read.options, onArrival: reporter({ options }, io), signal: io.signal });
  return { exit: io.signal.aborted ? "interrupted" : "ok" };
}

async function overHttp({ options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  const read = readPeerOptions(options, MISBEHAVIOURS);
  if (!read.ok) return { failure: usageFailure(read.problem, "recourse peer --list") };
  const port = Number(options["port"] ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return { failure: usageFailure("--port is a number from 0 to 65535.", "recourse peer --help") };
  let running: Awaited<ReturnType<typeof misbehave>>;
  try {
    running = await misbehave({ ...read.options, port, onArrival: reporter({ options }, io) });
  } catch (thrown) {
    return cannotListen(port, thrown);
  }
  const { url, controlUrl } = running;
  io.stdout.write(`${options["json"] === true ? JSON.stringify({ url, control: controlUrl }) : url}\n`);
  await untilStopped(io.signal);
  await running.close();
  return { exit: "interrupted" };
}

/** Writes one line about everything that arrives. */
function reporter({ options }: Pick<ParsedArguments, "options">, io: Io): ((arrival: Arrival) => void) | undefined {
  if (options["quiet"] === true) return undefined;
  return (arrival) => io.stderr.write(`${options["json"] === true ? JSON.stringify(arrival) : arrivalText(arrival)}\n`);
}

/** What to say about a port that cannot be used, by the code of the system. */
const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may not be used by you",
};

function cannotListen(port: number, thrown: unknown): CliOutcome {
  const problem = PORT_PROBLEMS[(thrown as { code?: string }).code ?? ""];
  if (problem === undefined) throw thrown;
  return {
    failure: {
      exit: "usage",
      code: "port",
      message: `Port ${port} ${problem}.`,
      fix: "Leave --port out to get a free one.",
      cause: thrown,
    },
  };
}

function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** What the client sent is shown on a terminal, so it is made one printable line. */
const MAX_ARRIVAL_TEXT = 80;
const arrivalLine = (text: unknown): string => toLine(String(text), MAX_ARRIVAL_TEXT);

const TABLES: Readonly<Record<string, { readonly description: string }>> = { ...STDIO_MISBEHAVIOURS, ...MISBEHAVIOURS };

/** One line about something that reached the peer, and how the peer treated it. */
export function arrivalText(arrival: Arrival): string {
  switch (arrival.what) {
    case "message": {
      const { method, tool, id, step } = arrival.message;
      const about = TABLES[step]?.description;
      const named = [arrivalLine(method), ...(tool === undefined ? [] : [arrivalLine(tool)])].join(" ");
      return `${named}${id === undefined ? "" : ` (id ${arrivalLine(id)})`}: ${step}${about === undefined ? "" : `. ${about}`}`;
    }
    case "unreadable":
      return `a message that cannot be read: ${arrival.reason}`;
    case "http":
      return `${arrivalLine(arrival.method)} ${arrivalLine(arrival.path)}`;
    default:
      return arrival satisfies never;
  }
}

/** The list for people. What can be copied stays on one line. */
export function listText({ ask, http, stdio }: PeerCatalogue, terminal: Terminal): string {
  const { width, styles } = terminal;
  const title = (text: string, about: string) => [styles.bold(text), ...wrapText(about, { width }), ""];
  return [
    ...title("How to ask for a misbehaviour", "The example is lost-silence; every name below works in its place."),
    ...ask.flatMap(({ when, how, about }) => [
      ...(when === "" ? [] : [`  ${when}`]),
      `    ${styles.cyan(how)}`,
      ...wrapText(about, { width, indent: "        " }),
    ]),
    "",
    ...title(`Over HTTP: ${http.length}`, DONE_NOTE),
    ...misbehaviourRows(http, terminal),
    "",
    ...title(`On stdin and stdout: ${stdio.length}`, DONE_NOTE),
    ...misbehaviourRows(stdio, terminal),
    "",
  ].join("\n");
}

const DONE_NOTE = 'With "done" the call is carried out before the peer misbehaves.';

function misbehaviourRows(listed: readonly MisbehaviourEntry[], { width, styles }: Terminal): string[] {
  return layOut(
    listed.map(({ name, about, carriedOut }) => [styles.cyan(name), carriedOut ? "done" : "", about]),
    { width },
  );
}
