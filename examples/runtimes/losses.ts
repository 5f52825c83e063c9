// What becomes of a call whose connection fails. The client connects to a good server first; then the address is exchanged.
import { type ConnectOptions, connect } from "./client.ts";

/** How one lost call was read, and what `fetch` threw in this runtime. */
export interface Loss {
  readonly how: string;
  readonly reason: string;
  readonly effect: string;
  /** Reason and effect without `observeTransport`. */
  readonly unobserved: string;
  /** Class, code and text of the error of a bare `fetch`. */
  readonly thrown: string;
}

/** Calls each bad address, by its name. */
export async function loseCalls(
  options: ConnectOptions,
  bad: Readonly<Record<string, string>>,
): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  for (const [how, url] of Object.entries(bad)) {
    const { reason, effect } = await callAt(url, options);
    // Without an observer, a call whose stream has ended waits until its deadline: that is the SDK's, and the same everywhere.
    const blind = how.includes("stream") ? undefined : await callAt(url, { ...options, observed: false });
    const unobserved = blind === undefined ? "" : `${blind.reason}, ${blind.effect}`;
    losses.push({ how, reason, effect, unobserved, thrown: await errorAt(url) });
  }
  return losses;
}

async function callAt(url: string, options: ConnectOptions): Promise<{ reason: string; effect: string }> {
  const { mcp, route, close } = await connect(options);
  route.url = url;
  const outcome = await mcp.call("pay", { cents: 1 }, { deadlineMs: 30_000 });
  delete route.url;
  await close();
  return outcome.ok ? { reason: "ok", effect: "" } : { reason: outcome.fault.reason, effect: outcome.fault.effect };
}

/** What came of calls on a kept connection that broke. */
export interface Broken {
  /** The effect of a call whose server took it and was gone: never `none`. */
  readonly effect: string;
  /** How often a server got one call that the program made once. */
  readonly received: number;
}

/** Breaks kept connections; `fragile` starts servers that do so. */
export async function breakKept(options: ConnectOptions, fragile: string): Promise<Broken> {
  const kept = async (how: string) => {
    const url = await (await fetch(`${fragile}${how}`)).text();
    await (await fetch(`${url}warm`, { method: "POST", body: "" })).text();
    return url;
  };
  const { effect } = await callAt(`${await kept("dies")}call`, options);
  const url = await kept("stays");
  await fetch(`${url}call`, { method: "POST", body: "" })
    .then((reply) => reply.text())
    .catch(() => {});
  return { effect, received: Number(await (await fetch(`${url}calls`)).text()) };
}

/** What a program without the client kit sees. */
async function errorAt(url: string): Promise<string> {
  try {
    const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    await (await fetch(url, init)).text();
    return "no error";
  } catch (error) {
    const { name, code, message, cause } = error as Error & { code?: unknown };
    const inner = cause as { code?: unknown; message?: string } | undefined;
    const found = [code, inner?.code].find((one) => typeof one === "string");
    return [name, found ?? inner?.message ?? message].join(": ").replace(/\d+\.\d+\.\d+\.\d+:\d+/g, "HOST");
  }
}
