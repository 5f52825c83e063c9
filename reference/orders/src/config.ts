import { randomBytes } from "node:crypto";
import { readHosts } from "@recourse/reference-shared";

/** The configuration from the environment. */
export interface Config {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly servicePort: number;
  readonly serviceKey: string;
  readonly seeds: boolean;
  /** The names that the MCP server is reached by. */
  readonly hosts: readonly string[];
}

/** Reads the environment, or returns what is wrong with it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config | { readonly problem: string } {
  const { DATABASE_URL: databaseUrl, HOST: host = "127.0.0.1", SERVICE_KEY: key } = env;
  if (databaseUrl === undefined)
    return { problem: "DATABASE_URL is missing, such as postgres://postgres@127.0.0.1/orders" };
  const [port, servicePort] = [portOf(env["PORT"], 8_960), portOf(env["SERVICE_PORT"], 8_961)];
  if (port === undefined || servicePort === undefined) return { problem: "PORT and SERVICE_PORT are whole numbers" };
  return {
    databaseUrl,
    host,
    port,
    servicePort,
    // Client and service run in this process, so a random key is enough.
    serviceKey: key ?? randomBytes(24).toString("base64url"),
    seeds: env["SEEDS"] !== "off",
    hosts: readHosts(env["ALLOWED_HOSTS"]),
  };
}

function portOf(text: string | undefined, fallback: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,5}$/.test(text) ? Number(text) : undefined;
}
