import { printableUrl } from "../program/secrets.ts";
import { isLoopback } from "../wire/limits.ts";
import { askBytes, bytesAsText, openSocket, resolveAddresses, urlPort, withoutBrackets } from "./connect.ts";
import { type CauseFinding, type DoctorContext, quoteLine } from "./diagnosis.ts";

/** A proxy that the variables of a shell name. */
export interface ProxySetting {
  /** The variable, such as `HTTPS_PROXY`. */
  readonly variable: string;
  readonly url: URL;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The proxy for an address. Undefined if no variable names one, or NO_PROXY excludes the address. */
export function findProxy(url: URL, env: Variables): ProxySetting | undefined {
  const names = url.protocol === "https:" ? ["HTTPS_PROXY", "ALL_PROXY"] : ["HTTP_PROXY", "ALL_PROXY"];
  const variable = names.flatMap((name) => [name.toLowerCase(), name]).find((name) => (env[name] ?? "") !== "");
  const value = variable === undefined ? "" : (env[variable] ?? "");
  const proxy = URL.parse(/^[a-z][a-z\d+.-]{0,20}:\/\//i.test(value) ? value : `http://${value}`);
  if (variable === undefined || proxy === null || !/^https?:$/.test(proxy.protocol)) return undefined;
  return isExcluded(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "") ? undefined : { variable, url: proxy };
}

function isExcluded(url: URL, list: string): boolean {
  const host = withoutBrackets(url.hostname).toLowerCase();
  return list
    .slice(0, 10_000)
    .split(/[\s,]+/)
    .filter((one) => one !== "")
    .some((one) => {
      const [, name = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(one.toLowerCase()) ?? [];
      if (port !== undefined && Number(port) !== urlPort(url)) return false;
      const bare = name.replace(/^\*?\./, "");
      return one === "*" || host === bare || host.endsWith(`.${bare}`);
    });
}

/** What a proxy says about an address: it leads there, it wants credentials, it refuses, or it cannot be reached. */
export type ProxyAnswer = "open" | "credentials" | "refused" | "unreachable";

/** Asks the proxy for a way to the server, as a client would. Nothing of the server is asked for. */
export async function askProxy(target: URL, { url }: ProxySetting, context: DoctorContext): Promise<ProxyAnswer> {
  const waiting = { ms: context.waits.connectMs, signal: context.signal };
  const found = await resolveAddresses(url.hostname, waiting);
  const [address] = "error" in found ? [] : found;
  const socket = address === undefined ? "" : await openSocket({ address, port: urlPort(url) }, waiting);
  if (typeof socket === "string") return "unreachable";
  const place = `${target.hostname}:${urlPort(target)}`;
  const login =
    url.username === "" ? "" : `Proxy-Authorization: Basic ${btoa(decodeURI(`${url.username}:${url.password}`))}\r\n`;
  const request = `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${login}\r\n`;
  const answer = bytesAsText(await askBytes(socket, new TextEncoder().encode(request), waiting));
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(answer) ?? [];
  if (status === undefined) return "unreachable";
  return status === "407" ? "credentials" : status.startsWith("2") ? "open" : "refused";
}

const WHO_USES_IT =
  "Hosts and servers in Node.js use it only with NODE_USE_ENV_PROXY=1, those in Python, Go and Electron mostly use it.";

/** The direct way failed, and a proxy is set. Undefined if the proxy does not change that. */
export function judgeProxy(target: URL, proxy: ProxySetting, answer: ProxyAnswer): CauseFinding | undefined {
  const named = `${proxy.variable} names the proxy ${quoteLine(printableUrl(proxy.url), 100)}`;
  switch (answer) {
    case "open":
      return {
        id: "D57",
        saw: `${target.host} cannot be reached directly, and ${named}, which leads to it.`,
        because: `This network allows only the way through the proxy, and doctor connects directly. ${WHO_USES_IT}`,
        fix: "Tell the host to use the proxy: in its settings, or with NODE_USE_ENV_PROXY=1 in its environment.",
      };
    case "credentials":
      return {
        id: "D57",
        saw: `${target.host} cannot be reached directly, and ${named}, which asks for credentials (407).`,
        because: "The proxy requires a user name and a password.",
        fix: `Put them into ${proxy.variable} as http://user:password@host:port, in the environment of the host. For addresses inside your network, add ${target.hostname} to NO_PROXY.`,
      };
    case "refused":
    case "unreachable":
      return undefined;
    default:
      return answer satisfies never;
  }
}

/** The direct way works, and some hosts go another. */
export function noteOnProxy(target: URL, proxy: ProxySetting): CauseFinding {
  const local = isLoopback(target);
  return {
    id: "D57",
    saw: `${proxy.variable} is set${local ? `, and NO_PROXY does not name ${target.hostname}` : ""}. doctor connected directly. ${WHO_USES_IT}`,
    fix: local
      ? `Add ${target.hostname} to NO_PROXY, or such a host looks for the server on the proxy.`
      : `If a host cannot connect, let it use the proxy, or add ${target.hostname} to NO_PROXY.`,
  };
}
