import { objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Change, Defect, Incoming } from "../defect.ts";
import { findsNothing } from "./calls.ts";
import { errorReply, nameIn, withError, withResult } from "./replies.ts";

/** Repeats the name of a tool in the refusal. */
function repeatsName(isMeant: (name: string) => boolean): Change {
  return (message, incoming) => {
    const name = nameIn(incoming);
    const said = stringAt(objectAt(message, "error"), "message");
    return said !== undefined && isMeant(name)
      ? withError(message, { message: `${said} You asked for ${name}.` })
      : message;
  };
}

function isUtf8({ bytes }: Incoming): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Servers with long answers, or odd characters in them. */
export const SIZE = {
  "echo-bounded": { on: "both", change: repeatsName((name) => name.length > 2_000) },
  "echo-control": { on: "both", change: repeatsName((name) => name.includes("\u001b")) },
  "error-size": {
    on: "both",
    change: (message, incoming) =>
      findsNothing(incoming)
        ? withResult(message, (result) => ({
            ...result,
            content: [{ type: "text", text: `There is no such item. ${"Look at the other shelves. ".repeat(200)}` }],
          }))
        : message,
  },
  "body-limit": {
    on: "http",
    answer: ({ bytes }) =>
      bytes.length > 5_000_000
        ? { text: "The body is too long.", status: 413, headers: { "content-type": "text/plain" } }
        : undefined,
  },
  "utf8-refused": {
    on: "both",
    answer: (incoming) =>
      isUtf8(incoming) ? undefined : errorReply(incoming, -32602, 'There is no tool "recourse-probe-\ufffd".'),
  },
} as const satisfies Record<string, Defect>;
