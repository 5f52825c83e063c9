import type { OptionSpec } from "../../program/command.ts";

/** The options of `recourse doctor`. */
export const DOCTOR_OPTIONS = {
  header: {
    type: "string",
    short: "H",
    multiple: true,
    value: "Name: value",
    secret: "header",
    about: "Send this header with every request",
  },
  env: {
    type: "string",
    short: "e",
    multiple: true,
    value: "NAME=value",
    secret: "variable",
    about: "Give the program this variable",
  },
  cwd: { type: "string", value: "folder", about: "Start the program in this folder" },
  timeout: { type: "string", value: "seconds", about: "Wait so long for an answer, 10 seconds if not given" },
} as const satisfies Record<string, OptionSpec>;
