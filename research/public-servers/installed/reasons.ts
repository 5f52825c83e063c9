// Why a guarded text helps less than the bare one, or shows a secret.

import { cutText } from "../../../packages/core/src/safety/cut-text.ts";
import { installTextFilter } from "../../../packages/core/src/safety/full-search.ts";
import { CUT } from "./modes.ts";
import type { Outcome } from "./outcomes.ts";

const NOT_FAILED = "the server returns it as a success, without `isError`";
const GENERAL = "the error is known by its code or its form, and a general sentence of Recourse stands in its place";
const PROGRAM = "such an error is a mistake of the program, as far as its form says";
const LITTLE_LEFT = "so much of it are paths that nothing is left to show";
const STACK = "it holds a stack trace";

/** What no rule can tell, by server and failure. */
const WRITTEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filesystem: {
    "outside, by ..": LITTLE_LEFT,
    "link to the outside": LITTLE_LEFT,
    "pattern too long": PROGRAM,
    "a directory, not a file": PROGRAM,
    "a file, not a directory": GENERAL,
    "directory is a file": GENERAL,
  },
  memory: {
    "memory is a directory": PROGRAM,
    "memory without members": PROGRAM,
    "memory with null": PROGRAM,
    "memory truncated": GENERAL,
  },
  github: {
    "422: a new issue, with a stack": STACK,
    "a token of another person in a 422": STACK,
  },
  notion: { "a password in a 500": NOT_FAILED, "a key in a 400": NOT_FAILED },
  jira: { "a password in a 500": NOT_FAILED, "a token in a 422": NOT_FAILED },
};

/** Of a server whose every text has the same reason. */
const OF_SERVER: Readonly<Record<string, string>> = {
  gitlab:
    "every call was refused as an unknown tool: its authors replace a handler that the SDK has registered, and `guard` asked the empty registry of the SDK",
};

const HIDDEN = /The call failed because of an internal error|The tool "[^"]+" reported a failure/;

/** What stands in place of a reason that is not written yet. */
export const UNKNOWN = "no reason is written down";

/** The reason of one text. */
export function reasonOf(server: string, { name, texts, secret }: Outcome): string {
  const written = WRITTEN[server]?.[name] ?? OF_SERVER[server];
  if (written !== undefined) return written;
  const isHidden = HIDDEN.test(texts.public);
  if (secret === "operator" && isHidden) return "the text holds the planted secret, and is hidden with it";
  installTextFilter();
  const { rule } = cutText(asSaid(texts.bare));
  if (rule !== undefined) return `${texts.public.includes(CUT) ? "cut by" : "hidden by"} the filter \`${rule}\``;
  return isHidden ? "nothing marks it as written for the caller, so it counts as an internal error" : UNKNOWN;
}

/** With a directory and an id in place of the names that stand for them. */
const asSaid = (text: string): string =>
  text
    .replaceAll("$DIR", "/tmp/server")
    .replaceAll("$SERVERS", "/srv/servers")
    .replaceAll("$ID", "9f2c4e7a1b3d5f60".repeat(2));
