import { randomBytes } from "node:crypto";

/** The configuration from the environment. */
export interface Config {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly tokenSecret: string | Uint8Array;
  readonly seeds: boolean;
  /** How many calls each caller may make in a minute. */
  readonly callsPerMinute: number;
}

/** A shorter secret could be guessed. */
const MIN_SECRET_LENGTH = 32;

/** Reads the environment, or returns what is wrong with it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config | { readonly problem: string } {
  const { DATABASE_URL: databaseUrl, HOST: host = "127.0.0.1", TOKEN_SECRET: secret } = env;
  if (databaseUrl === undefined)
    return { problem: "DATABASE_URL is missing, such as postgres://postgres@127.0.0.1/gtin" };
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    return { problem: `TOKEN_SECRET needs ${MIN_SECRET_LENGTH} characters or more` };
  }
  const port = numberOf(env["PORT"], 8_952);
  const callsPerMinute = numberOf(env["CALLS_PER_MINUTE"], 600);
  if (port === undefined || callsPerMinute === undefined)
    return { problem: "PORT and CALLS_PER_MINUTE are whole numbers" };
  return {
    databaseUrl,
    host,
    port,
    publicUrl: (env["PUBLIC_URL"] ?? `http://${host}:${port}`).replace(/\/+$/, ""),
    // With a random secret, valid tokens cannot be made outside of this process.
    tokenSecret: secret ?? randomBytes(MIN_SECRET_LENGTH),
    seeds: env["SEEDS"] !== "off",
    callsPerMinute,
  };
}

function numberOf(text: string | undefined, fallback: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
