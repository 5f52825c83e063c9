import { sendRaw } from "@recourse/core/node";
import { arrayAt, type JsonObject, stringAt } from "@recourse/core/wire";
import { parseBounded } from "../recording/parse.ts";
import { doctorLine } from "../terminal/shell.ts";
import { isLoopback } from "../wire/limits.ts";
import { openSocket, openTls, resolveAddresses, urlPort } from "./connect.ts";
import { type CauseFinding, type DoctorContext, quoteLine } from "./diagnosis.ts";
import { withoutLogin } from "./judge-connection.ts";

/** How far a client gets that wants to sign in by itself. */
export type SignIn =
  /** Nothing points to OAuth: the server takes a token. */
  | { readonly kind: "token" }
  | { readonly kind: "broken"; readonly saw: string; readonly fix: string }
  /** Every document is there. */
  | { readonly kind: "possible"; readonly issuer: string; readonly registration: "dynamic" | "document" | "by-hand" };

/** Follows the documents that lead to a sign-in, as a client does. Nothing secret is sent. */
export async function followSignIn(url: URL, challenge: string | undefined, context: DoctorContext): Promise<SignIn> {
  const [, named] = /resource_metadata="?([^",\s]{1,2000})/.exec(challenge ?? "") ?? [];
  const read = (address: string): Promise<ReadDocument> => readMetadata(address, url, context);
  const guessed = [
    wellKnown(url, "oauth-protected-resource"),
    wellKnown(new URL("/", url), "oauth-protected-resource"),
  ];
  const resource = await firstDocument(named === undefined ? [...new Set(guessed)] : [named], read);
  if (resource.document === undefined) {
    if (named === undefined) return { kind: "token" };
    return {
      kind: "broken",
      saw: `The server names ${quoteLine(named, 120)} as its sign-in metadata, and ${resource.why}.`,
      fix: "Serve this document without credentials. Until then give a token.",
    };
  }
  const issuers = arrayAt(resource.document, "authorization_servers").filter((one) => typeof one === "string");
  const [issuer = url.origin] = issuers;
  const at = URL.parse(issuer);
  if (at === null)
    return unusableMetadata(`The sign-in metadata names ${quoteLine(issuer, 120)}, which is not an address.`);
  const places = [
    wellKnown(at, "oauth-authorization-server"),
    wellKnown(at, "openid-configuration"),
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  ];
  const service = await firstDocument([...new Set(places)], read);
  if (service.document === undefined)
    return unusableMetadata(`The authorization server ${quoteLine(issuer, 120)} has no metadata: ${service.why}.`);
  const missing = ["authorization_endpoint", "token_endpoint"].find(
    (name) => stringAt(service.document, name) === undefined,
  );
  if (missing !== undefined)
    return unusableMetadata(`The metadata of the authorization server ${quoteLine(issuer, 120)} has no ${missing}.`);
  const registration =
    stringAt(service.document, "registration_endpoint") !== undefined
      ? "dynamic"
      : service.document["client_id_metadata_document_supported"] === true
        ? "document"
        : "by-hand";
  return { kind: "possible", issuer, registration };
}

function unusableMetadata(saw: string): SignIn {
  return { kind: "broken", saw, fix: "Correct the metadata of the server. Until then give a token." };
}

/** What a 401 comes to, with the sign-in that it leads to. `found` is what was said without it. */
export function judgeSignIn(url: URL, found: CauseFinding, signIn: SignIn): CauseFinding {
  const code = doctorLine("--header", "Authorization: Bearer …", withoutLogin(url));
  switch (signIn.kind) {
    case "token":
      return found;
    case "broken":
      return { id: "D59", saw: `The answer is 401. ${signIn.saw}`, fix: signIn.fix, code };
    case "possible":
      if (signIn.registration === "by-hand")
        return {
          id: "D59",
          saw: `The answer is 401. Clients cannot register themselves at ${quoteLine(signIn.issuer, 120)}.`,
          because:
            "Its metadata has no registration_endpoint and does not accept client metadata documents, so each host needs a client id.",
          fix: "Register a client there by hand and give its client id to the host, or give a token.",
          code,
        };
      return {
        ...found,
        fix: `Sign in with your host: its OAuth metadata is complete, and clients can register ${signIn.registration === "dynamic" ? "themselves" : "by a metadata document"} at ${quoteLine(signIn.issuer, 120)}. Or give a token with --header.`,
      };
    default:
      return signIn satisfies never;
  }
}

const MAX_METADATA = 256 * 1024;

interface ReadDocument {
  readonly document?: JsonObject;
  /** Why it is missing, as the end of a sentence. */
  readonly why: string;
}

async function firstDocument(
  addresses: readonly string[],
  read: (address: string) => Promise<ReadDocument>,
): Promise<ReadDocument> {
  const found = await Promise.all(addresses.map(read));
  return found.find(({ document }) => document !== undefined) ?? found[0] ?? { why: "it names no address" };
}

/** The well-known address of a document: the name stands between host and path. */
function wellKnown(url: URL, name: string): string {
  return `${url.origin}/.well-known/${name}${url.pathname === "/" ? "" : url.pathname.replace(/\/$/, "")}`;
}

/** Reads a JSON document with GET, without credentials and without following redirects. */
async function readMetadata(address: string, server: URL, context: DoctorContext): Promise<ReadDocument> {
  const url = URL.parse(address);
  if (url === null) return { why: "it is not an address" };
  // A server elsewhere has no business on this machine.
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url) && isLoopback(server)))
    return { why: "it does not begin with https" };
  if (isLoopback(url) && !isLoopback(server)) return { why: "it is an address of this machine" };
  const waiting = { ms: context.waits.lookMs, signal: context.signal };
  const found = await resolveAddresses(url.hostname, waiting);
  if ("error" in found) return { why: `its name cannot be resolved (${found.error})` };
  const socket = await openSocket({ address: found[0] ?? "", port: urlPort(url) }, waiting);
  if (typeof socket === "string") return { why: `it cannot be reached (${socket})` };
  const tls = url.protocol === "https:" ? await openTls(socket, url.hostname, waiting) : undefined;
  if (typeof tls === "string") return { why: `it cannot be reached (${tls})` };
  if (tls !== undefined && tls.problems.length > 0) {
    tls.socket.destroy();
    return { why: `its certificate is not accepted (${tls.problems.join(", ")})` };
  }
  const { how, response } = await sendRaw({
    socket: tls?.socket ?? socket,
    method: "GET",
    url,
    headers: { host: url.host, accept: "application/json", connection: "close" },
    timeoutMs: waiting.ms,
    signal: context.signal,
    now: context.now,
    maxBytes: MAX_METADATA,
    maxStreamText: MAX_METADATA,
    onEvent: () => {},
    isEnough: () => true,
  });
  if (how !== "complete" || response === undefined) return { why: "it is not answered" };
  if (response.status !== 200) return { why: `the answer is ${response.status}` };
  const parsed = parseBounded(response.text);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? { document: parsed as JsonObject, why: "" }
    : { why: "it is not JSON" };
}
