import type { GatewayConfig } from "../config/types.ts";

/** What the metadata is made of. */
export type MetadataConfig = Pick<GatewayConfig, "jwt" | "publicUrl" | "listen" | "path" | "tools" | "name">;

/** Metadata of a protected resource (RFC 9728): where callers get tokens. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
  readonly scopes_supported: readonly string[];
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The metadata of the gateway. Undefined where there are no tokens, or its address is not known. */
export function protectedResourceMetadata(config: MetadataConfig): ResourceMetadata | undefined {
  const base = baseOf(config);
  if (config.jwt === undefined || base === undefined) return undefined;
  return {
    resource: base + config.path,
    resource_name: config.name,
    authorization_servers: [config.jwt.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: [...new Set(config.tools.flatMap((tool) => tool.scopes))].toSorted(),
  };
}

/** The address of the metadata, for `WWW-Authenticate`. */
export function resourceMetadataUrl(config: MetadataConfig): string | undefined {
  const base = baseOf(config);
  if (config.jwt === undefined || base === undefined) return undefined;
  // A public address may have a path of its own, which a proxy removes; the well-known path stands before it.
  const { origin, pathname } = new URL(base + config.path);
  return origin + WELL_KNOWN + (pathname === "/" ? "" : pathname);
}

/** Addresses that say "every interface". */
const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function baseOf({ publicUrl, listen }: MetadataConfig): string | undefined {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "");
  if (listen.port === 0 || UNSPECIFIED.has(listen.host)) return undefined;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return `http://${host}:${listen.port}`;
}
