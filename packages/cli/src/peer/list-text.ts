import { layOut } from "../terminal/columns.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Catalogue, ListedMisbehaviour } from "./catalogue.ts";
import type { CauseStep } from "./cause-steps.ts";

/** The list for people. What can be copied stays on one line. */
export function listText({ ask, http, stdio, causes }: Catalogue, terminal: Terminal): string {
  const { width, styles } = terminal;
  const title = (text: string, about: string) => [styles.bold(text), ...wrap(about, { width }), ""];
  return [
    ...title("How to ask for a misbehaviour", "The example is lost-silence; every name below works in its place."),
    ...ask.flatMap(({ when, how, about }) => [
      ...(when === "" ? [] : [`  ${when}`]),
      `    ${styles.cyan(how)}`,
      ...wrap(about, { width, indent: "        " }),
    ]),
    "",
    ...title(`Over HTTP: ${http.length}`, DONE),
    ...rows(http, terminal),
    "",
    ...title(`On stdin and stdout: ${stdio.length}`, DONE),
    ...rows(stdio, terminal),
    "",
    ...title(
      `Errors of erlmcp, each with a real cause: ${causes.length}`,
      "Start the peer as shown, and send the lines.",
    ),
    ...causes.flatMap(({ code, reason, about, start, steps }) => [
      `  ${styles.bold(String(code))} ${reason}`,
      ...wrap(about, { width, indent: "    " }),
      ...[start, ...steps.map(stepText)].map((line) => `      ${styles.cyan(line)}`),
    ]),
    "",
  ].join("\n");
}

const DONE = 'With "done" the call is carried out before the peer misbehaves.';

function rows(listed: readonly ListedMisbehaviour[], { width, styles }: Terminal): string[] {
  return layOut(
    listed.map(({ name, about, carriedOut }) => [styles.cyan(name), carriedOut ? "done" : "", about]),
    { width },
  );
}

function stepText(step: CauseStep): string {
  if ("initialize" in step) return "initialize as usual";
  if ("control" in step) return `POST /control  ${step.control}`;
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => `  ${name}: ${value}`);
  return `POST /mcp${headers.join("")}  ${step.post}`;
}
