import { nearestNames } from "@recourse/faults";
import type { Given, Outcome } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { writeJson } from "../program/write-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { cutTo } from "../terminal/width.ts";
import { findTopic, topicNames } from "./find-topic.ts";
import { pageOf } from "./page.ts";
import { writePage } from "./write-page.ts";

/** A message that is longer than this is a log: `decode` reads it. */
const MAX_BYTES = 1_000_000;

/** `recourse explain`. */
export async function runExplain({ positionals, options }: Given, io: Io): Promise<Outcome> {
  // Messages are pasted without quotes as well.
  const asked = positionals.length > 0 ? positionals.join(" ") : await pasted(io);
  if (asked === undefined) return refuse("The input is longer than 1 MB.", "recourse decode < file");
  if (asked.trim() === "")
    return refuse("Say what to explain: a code, a reason, a check, or a whole message.", "recourse explain -32001");
  let topic: ReturnType<typeof findTopic>;
  try {
    topic = findTopic(asked);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(
      "This begins like JSON, but it cannot be parsed: it may be cut, or the shell took its quotes.",
      "recourse explain < message.json",
    );
  }
  if (topic === undefined) return unknown(asked);
  if (options["json"] === true) writeJson(io.stdout, topic);
  else io.stdout.write(writePage(pageOf(topic), terminalOf(io.stdout, io.env, options)));
  return { exit: "ok" };
}

/** What was piped in. Undefined if it is too long. */
async function pasted({ stdin, signal }: Io): Promise<string | undefined> {
  if (stdin.isTTY === true) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stdin) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_BYTES) return undefined;
    if (signal.aborted) break;
  }
  return text;
}

function unknown(asked: string): Outcome {
  const near = nearestNames(asked, topicNames());
  const message = `Nothing is known about "${cutTo(printableLine(asked), 60)}".`;
  const [first] = near;
  if (first === undefined) return refuse(message, "recourse explain --help");
  return refuse(`${message} Did you mean ${near.join(", or ")}?`, `recourse explain ${first}`);
}

function refuse(message: string, fix: string): Outcome {
  return { failure: { exit: "usage", code: "unknown-topic", message, fix } };
}
