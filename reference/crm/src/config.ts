import { readHosts } from "@recourse/reference-shared";

/** The configuration from the environment. */
export interface Config {
  readonly databaseUrl: string;
  readonly host: string;
  readonly ports: { readonly rest: number; readonly mcp: number };
  readonly seeds: boolean;
  /** The names that the MCP server is reached by. */
  readonly hosts: readonly string[];
  /** How many calls each key may make in a minute. */
  readonly callsPerMinute: number;
  /** The file for the journal of tool calls. */
  readonly journalFile: string | undefined;
}

/** Reads the environment, or returns what is wrong with it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config | { readonly problem: string } {
  const { DATABASE_URL: databaseUrl, HOST: host = "127.0.0.1", JOURNAL: journalFile } = env;
  if (!databaseUrl) return { problem: "DATABASE_URL is missing, such as postgres://postgres@127.0.0.1/crm" };
  const rest = numberOf(env["REST_PORT"], 8_953);
  const mcp = numberOf(env["MCP_PORT"], 8_954);
  const callsPerMinute = numberOf(env["CALLS_PER_MINUTE"], 600);
  if (rest === undefined || mcp === undefined || callsPerMinute === undefined)
    return { problem: "REST_PORT, MCP_PORT and CALLS_PER_MINUTE are whole numbers" };
  return {
    databaseUrl,
    host,
    ports: { rest, mcp },
    seeds: env["SEEDS"] !== "off",
    hosts: readHosts(env["ALLOWED_HOSTS"]),
    callsPerMinute,
    journalFile,
  };
}

function numberOf(text: string | undefined, fallback: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
