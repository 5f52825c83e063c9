import { isLoopback } from "../wire/target.ts";
import { addressesOf, askBytes, openSocket, openTls } from "./connect.ts";
import { type Conversations, speakBothEras } from "./diagnose-eras.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { exchange } from "./exchange.ts";
import { duration, type Finding } from "./finding.ts";
import { openLink } from "./http-link.ts";
import type { AddressSeen, HttpSeen } from "./http-seen.ts";
import { type DoctorContext, startJournal } from "./journal.ts";
import {
  judgeCertificate,
  judgeConnections,
  judgeName,
  judgeRaw,
  judgeTlsFailure,
  noteOnAddresses,
  plain,
  portOf,
  type RawContext,
} from "./judge-connection.ts";
import { handshake } from "./requests.ts";
import { bytesAsText, QUESTIONS } from "./services.ts";

/** A server over HTTP. */
export interface HttpTarget {
  readonly url: URL;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Finds out why a server cannot be used over HTTP, step by step, and stops at the first broken one. */
export async function diagnoseHttp(target: HttpTarget, context: DoctorContext): Promise<Diagnosis> {
  const { url } = target;
  const { signal } = context;
  const journal = startJournal({ transport: "http", url: plain(url) }, context);

  context.onProgress?.(`looking up ${url.hostname}`);
  const found = await addressesOf(url.hostname, { ms: context.timeoutMs, signal });
  signal.throwIfAborted();
  if ("error" in found) return journal.broken("name", judgeName(url.hostname, found.error));
  journal.pass("name", `${url.hostname}${found[0] === bare(url.hostname) ? "" : ` is ${found.join(", ")}`}`);

  context.onProgress?.(`connecting to ${found.join(", ")}`);
  const addresses = await Promise.all(found.map((address) => knock(address, url, context)));
  const isOpen = addresses.some(({ error }) => error === undefined);
  const other = !isOpen && isLoopback(url) ? await knockOther(found, url, context) : undefined;
  signal.throwIfAborted();
  const connections = { url, addresses, ...(other !== undefined && { other }) };
  const unconnected = judgeConnections(connections);
  if (unconnected !== undefined) return journal.broken("connect", unconnected);
  journal.pass("connect", addresses.map(describe).join("; "));
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
  const first = await link.post(handshake("2025-11-25"), { revision: "2025-11-25" });
  signal.throwIfAborted();
  const wordless =
    first.kind === "answer" ? undefined : judgeRaw(url, first, await askAround(first, { url, address }, context));
  signal.throwIfAborted();
  if (wordless !== undefined || first.kind !== "answer")
    return journal.broken("first bytes", wordless ?? { id: "D24", saw: "The connection was closed." });
  journal.pass("first bytes", `HTTP ${first.status}, ${duration(first.headersMs)}`);
  const conversations: Conversations = { target, link, journal, context };
  return speakBothEras(conversations, first);
}

async function knock(
  address: string,
  url: URL,
  { now, signal, timeoutMs, waits }: DoctorContext,
): Promise<AddressSeen> {
  const began = now();
  const ms = Math.min(timeoutMs, waits.connectMs);
  const socket = await openSocket({ address, port: portOf(url) }, { ms, signal });
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
): Promise<AddressSeen | undefined> {
  const address = ["127.0.0.1", "::1"].find((one) => !tried.includes(one));
  return address === undefined ? undefined : knock(address, url, context);
}

interface Place {
  readonly url: URL;
  readonly address: string;
}

async function lookAtTls(
  { url, address }: Place,
  context: DoctorContext,
  pass: (text: string) => void,
): Promise<Finding | undefined> {
  const waiting = { ms: context.timeoutMs, signal: context.signal };
  const { questionMs } = context.waits;
  const port = portOf(url);
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
  const answer: HttpSeen | undefined =
    typeof open === "string"
      ? undefined
      : await exchange({
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
async function askAround(seen: HttpSeen, { url, address }: Place, context: DoctorContext): Promise<RawContext> {
  if (seen.kind === "silent" || seen.kind === "answer" || url.protocol === "https:") return {};
  const waiting = { ms: context.waits.questionMs, signal: context.signal };
  const place = { address, port: portOf(url) };
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

function describe({ address, error, ms }: AddressSeen): string {
  return error === undefined ? `${address} accepts, ${duration(ms)}` : `${address} does not (${error})`;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}
