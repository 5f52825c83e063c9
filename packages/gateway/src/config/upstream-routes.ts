// The ways to upstreams: the proxy of each, and the CAs that its certificate may have. Both come from outside the file.

import { X509Certificate } from "node:crypto";
import { type ProxyRules, parseProxy, proxyCredential, readProxyRules } from "@recourse/core/node";
import { toLine } from "@recourse/core/safety";
import { type ConfigDocument, type Path, type Problem, pathText, type ValueSources } from "./document.ts";
import type { Draft } from "./read.ts";
import type { ConfigFile } from "./schema.ts";
import type { UpstreamOptions } from "./types.ts";

type OwnRoute = Pick<UpstreamOptions, "proxy" | "tls">;

/** The ways to all upstreams of a file. */
export interface UpstreamRoutes {
  /** By the name of the upstream. */
  readonly routes: ReadonlyMap<string, OwnRoute>;
  readonly problems: readonly Problem[];
  /** Names and passwords for proxies, as they are written and as they are sent. */
  readonly secrets: readonly string[];
}

type ReachedUpstream = NonNullable<NonNullable<Draft<ConfigFile>["upstreams"]>[string]>;

/** Reads the ways to all upstreams: variables of the environment once, and the file of each CA. */
export function readRoutes(
  { upstreams = {} }: Draft<ConfigFile>,
  document: ConfigDocument,
  sources: ValueSources,
): UpstreamRoutes {
  const routes = new Map<string, OwnRoute>();
  const problems: Problem[] = [];
  const add = (path: Path, message: string, fix: string) =>
    void problems.push({ line: 1, column: 1, ...document.find(path), path: pathText(path), message, fix });
  const proxies = new Set<string>();
  const common = readProxyRules(sources.environment);

  for (const [name, upstream = {}] of Object.entries(upstreams)) {
    const at = (...path: Path) => ["upstreams", name, ...path];
    if (upstream.command !== undefined) {
      for (const option of ["proxy", "tls"] as const)
        if (document.find(at(option)) !== undefined)
          add(at(option), "this option belongs to upstreams with url or openapi.", "Remove it.");
      continue;
    }
    if (typeof upstream.proxy === "string" && parseProxy(upstream.proxy) === undefined)
      add(at("proxy"), "this is not the address of a proxy.", "Write it as http://host:port.");
    const rules = chooseRules(upstream, common);
    if (rules !== undefined && "variable" in rules) {
      const message = `the variable ${rules.variable} is not the address of a proxy.`;
      add(["upstreams"], message, "Write it as http://host:port, or unset it. SOCKS is not supported.");
      continue;
    }
    for (const url of [rules?.http, rules?.https]) if (url !== undefined) proxies.add(url);
    const path = upstream.tls?.ca;
    const ca = path === undefined ? undefined : readAuthorities(path, sources);
    for (const { message, fix } of ca?.problems ?? []) add(at("tls", "ca"), message, fix);
    routes.set(name, { proxy: rules, ...(ca && { tls: { ca: ca.certificates } }) });
  }
  return { routes, problems: withoutRepeats(problems), secrets: [...proxies].flatMap(proxySecrets) };
}

/** `false` is no proxy; an address is the proxy for every host; without the option the environment decides. */
function chooseRules({ proxy }: ReachedUpstream, common: ReturnType<typeof readProxyRules>): typeof common {
  if (proxy === undefined) return common;
  return proxy === false ? undefined : ({ http: proxy, https: proxy } satisfies ProxyRules);
}

/** A name without a password is one itself. */
function proxySecrets(address: string): readonly string[] {
  const url = parseProxy(address);
  if (url === undefined || (url.username === "" && url.password === "")) return [];
  const secret = url.password || url.username;
  return [secret, decodeURIComponent(secret), proxyCredential(url)];
}

interface Remark {
  readonly message: string;
  readonly fix: string;
}

interface Authorities {
  readonly certificates: readonly string[];
  readonly problems: readonly Remark[];
}

/** What else is in the file, such as a private key, is not kept. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const MAX_SHOWN_PATH = 200;

function readAuthorities(path: string, { readFile }: ValueSources): Authorities {
  const file = `the file ${toLine(path, MAX_SHOWN_PATH)}`;
  const refused = (message: string, fix: string): Authorities => ({
    certificates: [],
    problems: [{ message: `${file} ${message}`, fix }],
  });
  const read = readFile(path);
  if (!("value" in read)) return refused(read.problem, read.fix);
  const certificates = [...read.value.matchAll(CERTIFICATE)].map(([text]) => text);
  if (certificates.length === 0)
    return refused("has no certificate in PEM.", "Convert it: openssl x509 -inform der -in ca.cer -out ca.pem");
  const bad = certificates.findIndex((text) => !canBeRead(text));
  if (bad >= 0) return refused(`has a certificate that cannot be read, number ${bad + 1}.`, "Export it again.");
  return { certificates, problems: [] };
}

function canBeRead(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}

/** A wrong variable is the same problem for all upstreams. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((one) => [`${one.path} ${one.message}`, one])).values()];
}
