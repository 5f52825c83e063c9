import { nearestNames } from "@recourse/core";
import { cleanLogText } from "@recourse/core/safety";
import { parseJson } from "@recourse/core/wire";
import type { CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { findTopic, topicNames } from "./find-topic.ts";
import { topicPage, writePage } from "./page.ts";

/** A message that is longer than this is a log: `decode` reads it. */
const MAX_PASTED = 1_000_000;

/** `recourse explain`. */
export async function runExplain({ positionals, options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  // Messages are pasted without quotes as well.
  const asked = positionals.length > 0 ? positionals.join(" ") : await readPasted(io);
  if (asked === undefined)
    return { failure: usageFailure("The input is longer than 1 MB.", "recourse decode < file", "unknown-topic") };
  if (asked.trim() === "")
    return {
      failure: usageFailure(
        "Say what to explain: a code, a reason, a check, or a whole error message.",
        "recourse explain -32001",
        "unknown-topic",
      ),
    };
  const topic = findTopic(asked);
  if (topic === undefined) return unknownTopic(asked);
  if (options["json"] === true) writeJson(io.stdout, topic);
  else io.stdout.write(writePage(topicPage(topic), createTerminal(io.stdout, io.env, options)));
  return { exit: "ok" };
}

/** What was piped in. Undefined if it is too long. */
async function readPasted({ stdin, signal }: Io): Promise<string | undefined> {
  if (stdin.isTTY === true) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stdin) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_PASTED) return undefined;
    if (signal.aborted) break;
  }
  return text;
}

function unknownTopic(asked: string): CliOutcome {
  const message = `Nothing is known about "${cutTo(cleanLogText(printableLine(asked.trim()), { max: 2_000 }), 60)}".`;
  if (JSON_BEGINS.test(asked.trim()) && parseJson(asked) === undefined)
    return { failure: usageFailure(CUT_JSON, "recourse explain < message.json", "unknown-topic") };
  // A sentence, JSON or several lines were pasted; anything else is a name.
  if (/\s|[{[]/.test(asked.trim()))
    return { failure: usageFailure(`${message} ${PASTE_HELP}`, PASTE_FIX, "unknown-topic") };
  const near = nearestNames(asked, topicNames());
  const [first] = near;
  if (first === undefined) return { failure: usageFailure(message, "recourse explain --help", "unknown-topic") };
  return {
    failure: usageFailure(
      `${message} Did you mean ${near.join(", or ")}?`,
      `recourse explain ${first}`,
      "unknown-topic",
    ),
  };
}

/** Logs begin lines with a number or a level in brackets, which is not JSON. */
const JSON_BEGINS = /^(?:\{|\[\s{0,40}(?:[[{"]|-?\d{1,20}\s{0,40},))/;
const CUT_JSON = "This begins like JSON, but it cannot be parsed: it may be cut, or the shell took its quotes.";
const PASTE_HELP =
  "Paste the whole line, with its code and the lines above it. For a log use recourse decode <file>; for a server that does not start or answer, recourse doctor.";
const PASTE_FIX = "recourse doctor <url | command…>";
