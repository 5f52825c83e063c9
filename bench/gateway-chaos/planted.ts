/** The credentials that the gateway shows to its upstreams. */
export const UPSTREAM_TOKENS = {
  honours: "chaos-upstream-token-honours-4f1b9c2e7a",
  plain: "chaos-upstream-token-plain-81d3e6f0b5",
} as const;
/** The password in the address of the database. The server does not ask for it, and it must appear in no answer. */
export const DATABASE_PASSWORD = "chaos-database-password-c07d52";

/** What an upstream writes into its failures, as careless programs do. */
export const UPSTREAM_TEXT =
  "Error: connect postgres://till:chaos-upstream-password-93ab@10.20.30.40:5432/till failed\n    at pay (/srv/till/internal/chaos-ledger.ts:42:7)";

/** What must not be in any answer, by name. */
export const PLANTED: Readonly<Record<string, string>> = {
  "credential of an upstream": UPSTREAM_TOKENS.honours,
  "credential of the other upstream": UPSTREAM_TOKENS.plain,
  "password of the database": DATABASE_PASSWORD,
  "address of a database": "postgres://",
  "address of Redis": "redis://",
  "password in an upstream's failure": "chaos-upstream-password-93ab",
  "path in an upstream's failure": "chaos-ledger",
  "network address of an upstream's failure": "10.20.30.40",
  "a stack": "\\n    at ",
  "a path of the gateway": "node_modules",
};
