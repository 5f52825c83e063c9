/** The upstream of a first configuration. */
export type FirstUpstream =
  | { readonly url: string }
  | { readonly openapi: string }
  | { readonly command: readonly string[] };

/** What a first configuration is made of. */
export interface FirstFile {
  readonly listen: string;
  readonly sha256: string;
  readonly name: string;
  readonly upstream: FirstUpstream;
}

const PAGE = "https://github.com/recourse-mcp/recourse/blob/main/docs/gateway/configuration.md";

/** The text of a first configuration: few lines, each of them explained. */
export function firstFile({ listen, sha256, name, upstream }: FirstFile): string {
  return `$schema: ./node_modules/@recourse/gateway/gateway.schema.json
# Every option: ${PAGE}

listen: ${listen}

# In the memory of one process. To run several, use Redis and PostgreSQL:
# store: { redis: "\${REDIS_URL}", postgres: "\${DATABASE_URL}" }
store: memory

# SHA-256 of each key. For another one: recourse keys add <id>
keys:
  - { id: first, sha256: "${sha256}" }

# Tools are called ${name}__<tool>.
upstreams:
  ${name}: { ${upstreamText(upstream)} }

limits:
  key: { rate: 20/s, burst: 40 }
`;
}

/** JSON is YAML, so that names with any characters stay what they are. */
function upstreamText(upstream: FirstUpstream): string {
  return Object.entries(upstream)
    .map(([option, value]: readonly [string, string | readonly string[]]) =>
      typeof value === "string"
        ? `${option}: ${JSON.stringify(value)}`
        : `${option}: [${value.map((word) => JSON.stringify(word)).join(", ")}]`,
    )
    .join(", ");
}
