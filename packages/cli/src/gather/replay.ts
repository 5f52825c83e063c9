import { NEWEST_REVISIONS } from "@recourse/core/wire";
import {
  type EraRevision,
  HIDDEN_IN_RECORDING,
  type RecordedAnswer,
  type RecordedExchange,
} from "../recording/recording.ts";
import { PROBE_WAITS, type TargetSpec } from "../wire/limits.ts";
import type { MessageId } from "../wire/messages.ts";
import { performHandshake, type StimulusRequest } from "./conversation.ts";
import { httpConversation } from "./http-conversation.ts";
import { stdioConversation } from "./stdio-conversation.ts";
import { deepMessage, longMessage, MALFORMED_MESSAGES } from "./stimuli/malformed.ts";
import { carriesCredentials, describeTarget, hideSecrets, repeatedSecretForms, secretValues } from "./target.ts";
import { PLANTED } from "./valid-arguments.ts";

/** What is needed to send an exchange again. */
interface ReplayOptions {
  /** Headers for every request; a recording has no secrets. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Variables for the program. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** The new answer, or why it is missing. */
type ReplayResult =
  | { readonly ok: true; readonly answer: RecordedAnswer }
  | { readonly ok: false; readonly because: string };

/** Sends one exchange of a recording again, after the handshake of its era. */
export async function replay(
  target: TargetSpec,
  exchange: RecordedExchange,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const revision = NEWEST_REVISIONS.find((one) => exchange.id.startsWith(`${one}/`));
  if (revision === undefined) return { ok: false, because: "The id of the exchange names no era." };
  const described = describeTarget(target, { headers: options.headers ?? {} });
  if (!described.ok) return { ok: false, because: described.because };
  const { place } = described;
  const forms = repeatedSecretForms([...place.secrets, ...secretValues(options.headers), ...secretValues(options.env)]);
  const { signal, now, env = {}, cwd } = options;
  const conversation =
    place.transport === "http"
      ? httpConversation(revision, { url: place.url, headers: place.headers, signal, now })
      : stdioConversation(
          revision,
          {
            command: place.command,
            args: place.args,
            env: { [PLANTED.canaryName]: PLANTED.canary, ...env },
            cwd,
            signal,
            now,
          },
          performHandshake,
        );
  try {
    const outgoing = rebuildRequest(exchange, revision, target.transport, place.headers);
    if (outgoing === undefined) return { ok: false, because: "The recording does not keep all that was sent." };
    // A handshake is sent as the first message; everything else needs one before it.
    const opens = exchange.stimulus === "handshake" || exchange.stimulus === "unknown-version";
    const handshake = opens ? undefined : await performHandshake(conversation);
    if (handshake?.ok === false) return { ok: false, because: handshake.because };
    if (exchange.stimulus === "close-stdin" && conversation.transport === "stdio")
      return { ok: true, answer: hideSecrets(await conversation.closeInput(), forms) };
    const { answer } = await conversation.send(outgoing);
    return { ok: true, answer: hideSecrets(answer, forms) };
  } finally {
    await conversation.close();
  }
}

/** What was sent. Long and broken texts are made anew, since a recording keeps only their beginning. */
function rebuildRequest(
  { stimulus, variant = "", sent }: RecordedExchange,
  revision: EraRevision,
  transport: "stdio" | "http",
  own: Readonly<Record<string, string>>,
): StimulusRequest | undefined {
  const http =
    sent.http === undefined ? {} : { http: { method: sent.http.method, headers: headersFrom(sent.http.headers, own) } };
  const id = sent.message?.["id"] as MessageId | undefined;
  // Of a long message only the beginning is kept; its id is there.
  const serial = typeof id === "number" ? id : Number(/"id":(\d{1,15})/.exec(sent.text)?.[1] ?? 1);
  if (stimulus === "deep-json") return { ...deepMessage(revision, serial), ...http };
  if (stimulus === "long-message" && variant === "itself")
    return { ...longMessage(revision, transport, serial), ...http, timeoutMs: PROBE_WAITS.longMessageMs };
  if (stimulus === "malformed-message" && Object.hasOwn(MALFORMED_MESSAGES, variant))
    return { ...MALFORMED_MESSAGES[variant as keyof typeof MALFORMED_MESSAGES](revision, serial), ...http };
  const withId = id === undefined ? {} : { id };
  if (sent.message !== undefined) return { message: sent.message, ...withId, ...http };
  return Buffer.byteLength(sent.text) === sent.bytes ? { body: sent.text, junk: true, ...http } : undefined;
}

/** The headers of an exchange. What the recording hides comes from the user again, or from the new session. */
function headersFrom(
  recorded: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(recorded)) {
    if (value === HIDDEN_IN_RECORDING) continue;
    headers[name] = value === "" ? undefined : value;
  }
  // Credentials that the exchange left out stay out.
  for (const name of Object.keys(own))
    if (carriesCredentials(name) && recorded[name] === undefined) headers[name] ??= undefined;
  return headers;
}
