import { randomBytes } from "node:crypto";

/** What the environment says. */
export interface Config {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly tokenSecret: string | Uint8Array;
  readonly seeds: boolean;
  /** How many calls each caller has a minute. */
  readonly callsPerMinute: number;
}

/** Shorter secrets could be guessed. */
const SHORTEST_SECRET = 32;

/** Reads the environment, or says what is wrong with it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config | { readonly wrong: string } {
  const { DATABASE_URL: databaseUrl, HOST: host = "127.0.0.1", TOKEN_SECRET: secret } = env;
  if (databaseUrl === undefined)
    return { wrong: "DATABASE_URL is missing, such as postgres://postgres@127.0.0.1/gtin" };
  if (secret !== undefined && secret.length < SHORTEST_SECRET) {
    return { wrong: `TOKEN_SECRET needs ${SHORTEST_SECRET} characters or more` };
  }
  const port = numberOf(env["PORT"], 8_952);
  const callsPerMinute = numberOf(env["CALLS_PER_MINUTE"], 600);
  if (port === undefined || callsPerMinute === undefined)
    return { wrong: "PORT and CALLS_PER_MINUTE are whole numbers" };
  return {
    databaseUrl,
    host,
    port,
    publicUrl: (env["PUBLIC_URL"] ?? `http://${host}:${port}`).replace(/\/+$/, ""),
    // Without a secret of its own nobody can make tokens for this server.
    tokenSecret: secret ?? randomBytes(SHORTEST_SECRET),
    seeds: env["SEEDS"] !== "off",
    callsPerMinute,
  };
}

function numberOf(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
