import type { Fault } from "@recourse/core";
import { writeChallenge } from "@recourse/core/proxy";
import type { GatewayConfig } from "../config/types.ts";

type MetadataConfig = Pick<GatewayConfig, "jwt" | "publicUrl" | "listen" | "path" | "tools" | "name">;

interface ResourceMetadata {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
  readonly scopes_supported: readonly string[];
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The metadata of the gateway. Undefined if there are no tokens, or its address is not known. */
export function protectedResourceMetadata(config: MetadataConfig): ResourceMetadata | undefined {
  const base = publicBaseUrl(config);
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
  const base = publicBaseUrl(config);
  if (config.jwt === undefined || base === undefined) return undefined;
  // A public address may have a path of its own, which a proxy removes; the well-known path stands before it.
  const { origin, pathname } = new URL(base + config.path);
  return origin + WELL_KNOWN + (pathname === "/" ? "" : pathname);
}

/** Addresses that say "every interface". */
const EVERY_INTERFACE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

function publicBaseUrl({ publicUrl, listen }: MetadataConfig): string | undefined {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "");
  if (listen.port === 0 || EVERY_INTERFACE.has(listen.host)) return undefined;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return `http://${host}:${listen.port}`;
}

/** Tells hosts and people that the tokens are keys, which are given out by hand: there is nothing to sign in to. */
const KEYS_REALM = "API key";

/** Writes `WWW-Authenticate` for the faults of a gateway; undefined for those that need none. It says where tokens come from, never why credentials were refused. */
export function challenges(config: MetadataConfig): (fault: Fault) => string | undefined {
  const realm = config.jwt === undefined ? KEYS_REALM : undefined;
  const given = { realm, resourceMetadata: resourceMetadataUrl(config) };
  return (fault) => writeChallenge(fault, {}, given);
}
