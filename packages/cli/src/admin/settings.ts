import type { OptionSpec } from "../program/command.ts";

/** The variables that say where the API for operators is, and who asks. */
export const ADMIN_VARIABLES = { url: "GATEWAY_ADMIN_URL", key: "GATEWAY_ADMIN_KEY" } as const;

/** Where the API is if nothing says otherwise. */
export const DEFAULT_ADMIN_URL = "http://127.0.0.1:8081";

/** The options of every command that asks a gateway. */
export const ADMIN_OPTIONS = {
  url: {
    type: "string",
    value: "url",
    about: `Address of the gateway's admin API; ${ADMIN_VARIABLES.url}, or ${DEFAULT_ADMIN_URL}, if not given`,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** What can be done with approvals, and whether it needs an id. */
export const APPROVAL_ACTIONS = {
  list: { needsId: false },
  show: { needsId: true },
  approve: { needsId: true },
  deny: { needsId: true },
} as const satisfies Record<string, { readonly needsId: boolean }>;

/** What `--state` takes. */
export const APPROVAL_STATES = ["pending", "approved", "denied", "consumed", "expired", "all"] as const;
