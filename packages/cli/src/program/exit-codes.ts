/** Every exit code of every command. The help, the docs and the tests read this table. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: "The command ran to its end." },
  findings: {
    code: 1,
    meaning: "The score is under your bar, `doctor` or `serve --check` found a cause, or the baseline does not match.",
  },
  usage: { code: 2, meaning: "The command line or the configuration file is wrong." },
  unreachable: { code: 3, meaning: "The server, or what it needs, could not be reached or started." },
  credentials: { code: 4, meaning: "The server asks for credentials." },
  bug: { code: 70, meaning: "A bug in `recourse` itself." },
  interrupted: { code: 130, meaning: "You ended it with Ctrl-C." },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

/** How a command ended. */
export type ExitName = keyof typeof EXIT_CODES;
