/** How long one probe waits, whatever the server does, in milliseconds. */
export const PROBE_WAITS = {
  /** An ordinary request. */
  requestMs: 8_000,
  /** A valid call: a tool may be slow. */
  callMs: 15_000,
  /** A valid call with `--slow`. */
  slowCallMs: 30_000,
  /** One of many requests at once. */
  concurrentMs: 25_000,
  /** A very long message: reading it takes a slow machine a while. */
  longMessageMs: 20_000,
  /** The start of a program and its first answer. */
  startMs: 30_000,
  /** A program after the end of its input. */
  exitMs: 5_000,
  /** After the answer to a ping, an answer to the junk before it may still arrive. */
  settleMs: 150,
  /** What a program started may need a moment longer to end. */
  childrenMs: 1_000,
} as const;

/** The waits of one probe. */
export type ProbeWaits = { readonly [name in keyof typeof PROBE_WAITS]: number };

/** What one probe keeps, whatever the server does. Sizes are in bytes or characters. */
export const PROBE_LIMITS = {
  /** How often a program is started again after it died. */
  restarts: 3,
  /** One answer. */
  answerBytes: 8 * 1024 * 1024,
  /** Everything that a program writes on stdout. */
  stdoutBytes: 64 * 1024 * 1024,
  sentText: 2_000,
  answerText: 20_000,
  stderrText: 8_000,
  strayLines: 50,
  strayLineText: 500,
  strays: 20,
  /** Requests of one server that are answered. */
  replies: 1_000,
} as const;

/** A server to talk to, as the user named it. */
export type TargetSpec =
  | { readonly transport: "http"; readonly url: string }
  | { readonly transport: "stdio"; readonly command: string; readonly args: readonly string[] };

/** Whether a URL names this machine. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
