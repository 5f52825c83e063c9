import { isLoopbackAddress, isLoopbackName, readHost } from "@recourse/faults/internal-do-not-use";
import { isUrl, listenOf } from "../build.ts";
import { isNetwork } from "../networks.ts";
import type { Path } from "../problem.ts";
import type { RawUpstream } from "../raw.ts";
import { type Check, type Finding, problem, warning } from "./check.ts";

const MAX_PORT = 65_535;

/** Addresses: can they be used, and what do others on the way see? */
export const networkChecks: Check = function* (raw) {
  const { host, port } = listenOf(raw.listen);
  if (port > MAX_PORT) yield problem(["listen"], "ports go up to 65535.", "Take another port.");
  if (raw.authentication === "none" && !isLocal(host))
    yield warning(
      ["authentication"],
      "everybody who reaches this address can call every tool.",
      "Listen on 127.0.0.1, or use keys.",
    );
  for (const [at, one] of raw.proxies.entries())
    if (!isNetwork(one))
      yield problem(
        ["proxies", at],
        "expected an address, or a network such as 10.0.0.0/8, that is not the whole internet.",
        "Write the addresses of your own proxies only: what they say is believed.",
      );
  const urls: (readonly [Path, string | undefined])[] = [
    [["publicUrl"], raw.publicUrl],
    [["jwt", "issuer"], raw.jwt?.issuer],
    [["jwt", "jwksUrl"], raw.jwt?.jwksUrl],
    [["telemetry", "otlp"], raw.telemetry.otlp],
    ...Object.entries(raw.upstreams ?? {}).flatMap(([name, one]) => [
      [["upstreams", name, "url"], one.url] as const,
      [["upstreams", name, "server"], one.server] as const,
      // The path of a file is no address.
      [["upstreams", name, "openapi"], isUrl(one.openapi) ? one.openapi : undefined] as const,
    ]),
  ];
  for (const [path, text] of urls) if (text !== undefined) yield* urlFindings(path, text);
  if (raw.jwt !== undefined) {
    const [at, keys] = raw.jwt.jwksUrl === undefined ? ["issuer", raw.jwt.issuer] : ["jwksUrl", raw.jwt.jwksUrl];
    if (keys !== undefined && isPlainRemote(keys))
      yield problem(
        ["jwt", at ?? ""],
        "the keys of the issuer would be read over plain http, where others can replace them.",
        "Use https.",
      );
  }
  for (const [name, one] of Object.entries(raw.upstreams ?? {})) yield* upstreamFindings(name, one);
};

function* urlFindings(path: Path, text: string): Generator<Finding> {
  const url = URL.parse(text);
  if (url === null) yield problem(path, "expected a URL with http or https.", "Check its host and port.");
  else if (url.username !== "" || url.password !== "")
    yield problem(path, "a URL must not hold a user or a password.", "Write them as a credential of the upstream.");
}

function* upstreamFindings(name: string, { url, server, openapi, credential }: RawUpstream): Generator<Finding> {
  const hasCredential = credential.bearer !== undefined || credential.value !== undefined;
  const [option, target] = url === undefined ? (["server", server] as const) : (["url", url] as const);
  if (target !== undefined && hasCredential && isPlainRemote(target))
    yield warning(
      ["upstreams", name, option],
      "the credential is sent over plain http, where others on the way can read it.",
      "Use https.",
    );
  if (openapi !== undefined && isPlainRemote(openapi))
    yield warning(
      ["upstreams", name, "openapi"],
      "the document is read over plain http, where others on the way can change it.",
      "Use https, or a file.",
    );
}

/** Whether an address is reached over plain http, and not on this machine. */
function isPlainRemote(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && !isLocal(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}

function isLocal(host: string): boolean {
  const read = readHost(host.includes(":") ? `[${host}]` : host);
  return isLoopbackAddress(host) || (read !== undefined && isLoopbackName(read));
}
