import { LATEST_HANDSHAKE_REVISION } from "@recourse/core/wire";
import { durationText } from "../terminal/wording.ts";
import { isLoopback } from "../wire/limits.ts";
import {
  askBytes,
  bytesAsText,
  openSocket,
  openTls,
  QUESTIONS,
  resolveAddresses,
  urlPort,
  withoutBrackets,
} from "./connect.ts";
import { type HttpDoctor, speakBothEras } from "./diagnose-eras.ts";
import { type CauseFinding, type Diagnosis, type DoctorContext, startJournal } from "./diagnosis.ts";
import { type AddressAttempt, exchangeOverSocket, type HttpResult, openLink } from "./exchange.ts";
import {
  judgeCertificate,
  judgeConnections,
  judgeName,
  judgeRaw,
  judgeTlsFailure,
  noteOnAddresses,
  type RawContext,
  withoutLogin,
} from "./judge-connection.ts";
import { askProxy, judgeProxy, noteOnProxy, type ProxySetting } from "./proxy.ts";
import { handshakeRequest } from "./requests.ts";

/** A server over HTTP. */
export interface HttpTarget {
  readonly url: URL;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy that the shell names for this address. */
  readonly proxy?: ProxySetting;
}

/** Finds out why a server cannot be used over HTTP, step by step, and stops at the first broken one. */
export async function diagnoseHttp(target: HttpTarget, context: DoctorContext): Promise<Diagnosis> {
  const { url } = target;
  const { signal } = context;
  const journal = startJournal({ transport: "http", url: withoutLogin(url) }, context);

  context.onProgress?.(`looking up ${url.hostname}`);
  const found = await resolveAddresses(url.hostname, { ms: context.timeoutMs, signal });
  signal.throwIfAborted();
  const throughProxy = async (): Promise<CauseFinding | undefined> =>
    target.proxy === undefined ? undefined : judgeProxy(url, target.proxy, await askProxy(url, target.proxy, context));
  if ("error" in found) return journal.broken("name", (await throughProxy()) ?? judgeName(url.hostname, found.error));
  journal.pass("name", `${url.hostname}${found[0] === withoutBrackets(url.hostname) ? "" : ` is ${found.join(", ")}`}`);

  context.onProgress?.(`connecting to ${found.join(", ")}`);
  const addresses = await Promise.all(found.map((address) => knock(address, url, context)));
  const isOpen = addresses.some(({ error }) => error === undefined);
  const other = !isOpen && isLoopback(url) ? await knockOther(found, url, context) : undefined;
  signal.throwIfAborted();
  const connections = { url, addresses, ...(other !== undefined && { other }) };
  const unconnected = judgeConnections(connections);
  if (unconnected !== undefined) return journal.broken("connect", (await throughProxy()) ?? unconnected);
  if (target.proxy !== undefined) journal.note(noteOnProxy(url, target.proxy));
  journal.pass("connect", addresses.map(describeAddress).join("; "));
  const note = noteOnAddresses(connections);
  if (note !== undefined) journal.note(note);
  const { address } = addresses.find(({ error }) => error === undefined) ?? { address: "" };

  if (url.protocol === "https:") {
    const finding = await lookAtTls({ url, address }, context, (text) => journal.pass("tls", text));
    signal.throwIfAborted();
    if (finding !== undefined) return journal.broken("tls", finding);
  }

  context.onProgress?.("sending initialize");
  const link = openLink({ ...target, address }, context);
  const first = await link.post(handshakeRequest(LATEST_HANDSHAKE_REVISION), { revision: LATEST_HANDSHAKE_REVISION });
  signal.throwIfAborted();
  const wordless =
    first.kind === "answer" ? undefined : judgeRaw(url, first, await askAround(first, { url, address }, context));
  signal.throwIfAborted();
  if (wordless !== undefined || first.kind !== "answer")
    return journal.broken("first bytes", wordless ?? { id: "D24", saw: "The connection was closed." });
  journal.pass("first bytes", `HTTP ${first.status}, ${durationText(first.headersMs)}`);
  const conversations: HttpDoctor = { target, link, journal, context };
  return speakBothEras(conversations, first);
}

async function knock(
  address: string,
  url: URL,
  { now, signal, timeoutMs, waits }: DoctorContext,
): Promise<AddressAttempt> {
  const began = now();
  const ms = Math.min(timeoutMs, waits.connectMs);
  const socket = await openSocket({ address, port: urlPort(url) }, { ms, signal });
  const seen = { address, ms: now() - began };
  if (typeof socket === "string") return { ...seen, error: socket };
  socket.destroy();
  return seen;
}

/** Tries the loopback address of the other family, which `localhost` may mean elsewhere. */
async function knockOther(
  tried: readonly string[],
  url: URL,
  context: DoctorContext,
): Promise<AddressAttempt | undefined> {
  const address = ["127.0.0.1", "::1"].find((one) => !tried.includes(one));
  return address === undefined ? undefined : knock(address, url, context);
}

interface NetworkPlace {
  readonly url: URL;
  readonly address: string;
}

async function lookAtTls(
  { url, address }: NetworkPlace,
  context: DoctorContext,
  pass: (text: string) => void,
): Promise<CauseFinding | undefined> {
  const waiting = { ms: context.timeoutMs, signal: context.signal };
  const { questionMs } = context.waits;
  const port = urlPort(url);
  const socket = await openSocket({ address, port }, waiting);
  const seen = typeof socket === "string" ? socket : await openTls(socket, url.hostname, waiting);
  if (typeof seen !== "string") {
    seen.socket.destroy();
    const bad = judgeCertificate(url, seen);
    if (bad === undefined) pass(`${seen.protocol}, the certificate is valid until ${seen.validTo}`);
    return bad;
  }
  // Nothing secret is sent here: it may be anybody's port.
  const open = await openSocket({ address, port }, { ...waiting, ms: questionMs });
  const answer: HttpResult | undefined =
    typeof open === "string"
      ? undefined
      : await exchangeOverSocket({
          socket: open,
          method: "GET",
          url,
          headers: {},
          ...context,
          ms: questionMs,
          enough: () => true,
        });
  const speaksHttp = answer?.kind === "answer";
  const service = speaksHttp ? undefined : await askService({ address, port }, context);
  return judgeTlsFailure(url, seen, { speaksHttp, ...(service !== undefined && { service }) });
}

/** Asks a port that does not speak HTTP what it is. */
async function askAround(
  seen: HttpResult,
  { url, address }: NetworkPlace,
  context: DoctorContext,
): Promise<RawContext> {
  if (seen.kind === "silent" || seen.kind === "answer" || url.protocol === "https:") return {};
  const waiting = { ms: context.waits.questionMs, signal: context.signal };
  const place = { address, port: urlPort(url) };
  const socket = await openSocket(place, waiting);
  const tls = typeof socket === "string" ? socket : await openTls(socket, url.hostname, waiting);
  if (typeof tls !== "string") {
    tls.socket.destroy();
    return { speaksTls: true };
  }
  const service = await askService(place, context);
  return service === undefined ? {} : { service };
}

/** Asks a port in the words of known services, one after the other. */
async function askService(
  place: { readonly address: string; readonly port: number },
  { signal, waits }: DoctorContext,
): Promise<string | undefined> {
  const waiting = { ms: waits.questionMs, signal };
  for (const { name, bytes, answer } of QUESTIONS) {
    const open = await openSocket(place, waiting);
    if (typeof open === "string") return undefined;
    if (answer.test(bytesAsText(await askBytes(open, bytes, waiting)))) return name;
  }
  return undefined;
}

function describeAddress({ address, error, ms }: AddressAttempt): string {
  return error === undefined ? `${address} accepts, ${durationText(ms)}` : `${address} does not (${error})`;
}
