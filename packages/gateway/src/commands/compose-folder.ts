import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The files of `recourse init --compose` that are the same for everyone, each with its place below deploy/ of the repository.
 * The build copies them into the package.
 */
export const COMPOSE_TEMPLATES = {
  "compose.yaml": "compose/compose.yaml",
  "config/gateway.yaml": "compose/config/gateway.yaml",
  "services/nginx.conf": "compose/services/nginx.conf",
  "services/postgres.sql": "compose/services/postgres.sql",
  "services/collector.yaml": "compose/services/collector.yaml",
  "services/prometheus.yaml": "compose/services/prometheus.yaml",
  "services/rules.yaml": "prometheus/rules.yaml",
  "services/grafana/provisioning/datasources/prometheus.yaml":
    "compose/services/grafana/provisioning/datasources/prometheus.yaml",
  "services/grafana/provisioning/dashboards/recourse.yaml":
    "compose/services/grafana/provisioning/dashboards/recourse.yaml",
  "services/grafana/dashboards/gateway.json": "grafana/gateway.json",
  "services/grafana/dashboards/upstreams.json": "grafana/upstreams.json",
  "services/grafana/dashboards/controls.json": "grafana/controls.json",
} as const satisfies Readonly<Record<string, string>>;

/** Where the build puts the templates, from the folder of the package. */
export const COMPOSE_DIST = "dist/compose";

/** The folder that the gateway finds at /etc/recourse. */
export const COMPOSE_CONFIG = "config";

/** The folder of the passwords. Only its owner may open it. */
export const COMPOSE_SECRETS = "secrets";

/** The line of the template that other upstreams replace. */
const DEMO_LINE = '  demo: { command: ["/nodejs/bin/node", "demo-server.mjs"] }\n';

/** Where the rules for alerts name the console. */
const ALERTS_CONSOLE = "console: http://127.0.0.1:8081/console";

/** Node in the image, which has no PATH to it. */
export const IMAGE_NODE = "/nodejs/bin/node";

/** What is different in each folder. */
export interface ComposeFolder {
  readonly name: string;
  /** The upstream as the members of a YAML mapping. */
  readonly upstream: string;
  readonly callerSha256: string;
  readonly operatorSha256: string;
  /** Where the machine listens for callers, and for operators: host:port. */
  readonly listen: string;
  readonly adminListen: string;
  /** The address that browsers use for the console, without its path. */
  readonly consoleUrl: string;
}

/** The texts of the folder, by their paths in it. Passwords are apart: see `createComposeSecrets`. */
export async function composeFiles(folder: ComposeFolder): Promise<ReadonlyMap<string, string>> {
  const templates = await Promise.all(
    Object.entries(COMPOSE_TEMPLATES).map(
      async ([path, source]) => [path, await readFile(templatePath(path, source), "utf8")] as const,
    ),
  );
  return new Map([
    ...templates.map(([path, text]): [string, string] => [path, fillIn(text, folder)]),
    [".env", environmentFile(folder)],
    [".gitignore", `/.env\n/${COMPOSE_SECRETS}/\n`],
  ]);
}

/** The sources read the templates of the repository, so that a change needs no build. */
function templatePath(path: string, source: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return import.meta.filename.endsWith(".ts") ? join(folder, "../../deploy", source) : join(folder, COMPOSE_DIST, path);
}

function fillIn(text: string, { name, upstream, consoleUrl }: ComposeFolder): string {
  return text
    .replace(DEMO_LINE, () => `  ${name}: { ${upstream} }\n`)
    .replaceAll(ALERTS_CONSOLE, () => `console: ${consoleUrl}/console`);
}

function environmentFile(folder: ComposeFolder): string {
  const { callerSha256, operatorSha256, listen, adminListen, consoleUrl } = folder;
  return `# docker compose reads this file. Passwords are in ${COMPOSE_SECRETS}/.
CALLER_KEY_SHA256=${callerSha256}
OPERATOR_KEY_SHA256=${operatorSha256}

# Where this machine listens: for callers, and for operators.
RECOURSE_LISTEN=${listen}
RECOURSE_ADMIN_LISTEN=${adminListen}
# The address of the console, as browsers use it.
CONSOLE_URL=${consoleUrl}

# Other images than those of compose.yaml, with a digest if you like:
# RECOURSE_IMAGE=ghcr.io/recourse-mcp/gateway@sha256:…
# NGINX_IMAGE= VALKEY_IMAGE= POSTGRES_IMAGE= COLLECTOR_IMAGE= PROMETHEUS_IMAGE= GRAFANA_IMAGE=
# To pin all of them to what they are now: docker compose config --lock-image-digests -o compose.override.yaml
`;
}

const SECRET_FILES = [
  "valkey_password",
  "postgres_password",
  "postgres_superuser_password",
  "console_secret",
  "grafana_password",
] as const;

/** New passwords, by the names of their files. They need no escaping in an address. */
export function createComposeSecrets(): ReadonlyMap<string, string> {
  return new Map(SECRET_FILES.map((name) => [`${COMPOSE_SECRETS}/${name}`, randomBytes(32).toString("base64url")]));
}
