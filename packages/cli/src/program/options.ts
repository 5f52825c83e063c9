import { COLOR_CHOICES } from "../terminal/styles.ts";
import type { OptionSpec } from "./command.ts";

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  help: { type: "boolean", short: "h", about: "Show this help" },
  version: { type: "boolean", short: "V", about: "Show the version" },
  json: { type: "boolean", about: "Write one JSON document, and failures as one line of JSON" },
  color: { type: "string", value: "when", choices: COLOR_CHOICES, about: "Use colour" },
  quiet: { type: "boolean", short: "q", about: "Show no progress" },
  verbose: { type: "boolean", about: "Show each step of the progress on a line" },
  debug: { type: "boolean", about: "Show the cause of a failure, with its stack" },
} as const satisfies Record<string, OptionSpec>;

/** The options of a command by name: its own, then those of every command. */
export function optionsOf(own: Readonly<Record<string, OptionSpec>>): Readonly<Record<string, OptionSpec>> {
  return { ...own, ...GLOBAL_OPTIONS };
}

/** How an option is written in a help: `-e, --env <NAME=value>`. */
export function optionLabel(name: string, { short, type, value = "value", choices }: OptionSpec): string {
  const dashed = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return type === "boolean" ? dashed : `${dashed} <${choices?.join("|") ?? value}>`;
}
