import { NEWEST_REVISIONS } from "@recourse/core/wire";
import { type EraRevision, RECORDING_FORMAT, type Recording, type StimulusName } from "../recording/recording.ts";
import { isLoopback, PROBE_WAITS, type ProbeWaits, type TargetSpec } from "../wire/limits.ts";
import { CLIENT_INFO } from "../wire/messages.ts";
import type { StartProgram } from "../wire/stdio.ts";
import { type EraOptions, type EraOutcome, type ProbeProgress, runHttpEra, runStdioEra } from "./era.ts";
import { markShownSecrets, tellingSecretForms } from "./shown-secrets.ts";
import { asksForCredentials } from "./stimuli/edges.ts";
import { carriesCredentials, describeTarget, hideSecrets, repeatedSecretForms, secretValues } from "./target.ts";
import { PLANTED } from "./valid-arguments.ts";

/** How a server is probed. */
export interface GatherOptions {
  /** Tools that get arguments, whatever they say about themselves. @default those that only read */
  readonly tools?: readonly string[] | undefined;
  /** Whether tools may be called that change something. @default false */
  readonly allowWrites?: boolean | undefined;
  /** Whether tools without annotations may be called if their names say that they only read. @default false */
  readonly byName?: boolean | undefined;
  /** Whether known prompts may be rendered. @default false */
  readonly allowPrompts?: boolean | undefined;
  /** Whether valid calls may take 30 seconds. @default false: 15 seconds */
  readonly slow?: boolean | undefined;
  /** Headers for every request. Their values are never recorded. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Variables for the program. Their values are never recorded. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder that the program is started in. @default the current one */
  readonly cwd?: string | undefined;
  /** How the program is started. @default as a process */
  readonly start?: StartProgram | undefined;
  /** The eras to try. @default both */
  readonly eras?: readonly EraRevision[] | undefined;
  /** Send these groups of stimuli and no others. @default all */
  readonly only?: readonly StimulusName[] | undefined;
  /** Waits that differ from the usual ones. @default none */
  readonly waits?: Partial<ProbeWaits> | undefined;
  readonly onProgress?: ((progress: ProbeProgress) => void) | undefined;
  /** Ends the probe: what is known by then is returned. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

/** What a probe found, or why there is nothing. */
type GatherResult =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly failure: GatherFailure };

/** Why a server could not be probed. */
export interface GatherFailure {
  readonly code: "unreachable" | "credentials" | "interrupted";
  /** One sentence. */
  readonly message: string;
  /** What was tried, and the first lines of stderr. */
  readonly detail: string;
}

/** Probes a server in both eras. Nothing is judged here. */
export async function gather(target: TargetSpec, options: GatherOptions): Promise<GatherResult> {
  const { now, signal } = options;
  const began = now();
  const described = describeTarget(target, { headers: options.headers ?? {} });
  if (!described.ok) return { ok: false, failure: { code: "unreachable", message: described.because, detail: "" } };
  const { place } = described;
  const eraOptions: EraOptions = {
    tools: options.tools,
    allowWrites: options.allowWrites ?? false,
    byName: options.byName ?? false,
    allowPrompts: options.allowPrompts ?? false,
    slow: options.slow ?? false,
    loopback: place.transport === "stdio" || isLoopback(place.url),
    only: options.only,
    now,
    onProgress: options.onProgress ?? (() => {}),
  };
  const eras = options.eras ?? NEWEST_REVISIONS;
  const waits = { ...PROBE_WAITS, ...options.waits };
  const outcomes = await inTurn(eras, (revision) => {
    if (place.transport === "http")
      return runHttpEra(revision, { url: place.url, headers: place.headers, signal, now, waits }, eraOptions);
    const { command, args } = place;
    const env = { [PLANTED.canaryName]: PLANTED.canary, ...options.env };
    const { cwd, start } = options;
    return runStdioEra(revision, { command, args, env, cwd, start, signal, now, waits }, eraOptions);
  });
  const forms = repeatedSecretForms([...place.secrets, ...secretValues(options.headers), ...secretValues(options.env)]);
  const spoken = outcomes.filter((one) => one.ok);
  if (spoken.length === 0) return { ok: false, failure: hideSecrets(describeGatherFailure(outcomes, signal), forms) };
  const recording: Recording = {
    format: RECORDING_FORMAT,
    version: CLIENT_INFO.version,
    startedAt: new Date(began).toISOString(),
    durationMs: now() - began,
    target: {
      transport: target.transport,
      ...described.shown,
      loopback: eraOptions.loopback,
      credentials: Object.keys(place.headers).some(carriesCredentials),
      planted: PLANTED,
    },
    eras: spoken.map(({ record }) => record),
    unspoken: outcomes
      .filter((one) => !one.ok)
      .map(({ revision, handshake }) => ({ revision, because: handshake.because })),
    ...(signal.aborted ? { interrupted: true as const } : {}),
  };
  const telling = tellingSecretForms(place.secrets, { headers: place.headers, env: options.env });
  return { ok: true, recording: hideSecrets(markShownSecrets(recording, telling), forms) };
}

/** Eras run one after the other: a crash belongs to one of them, and a program may not bear a second instance. */
async function inTurn(
  eras: readonly EraRevision[],
  run: (revision: EraRevision) => Promise<EraOutcome>,
): Promise<EraOutcome[]> {
  const outcomes: EraOutcome[] = [];
  for (const revision of eras) outcomes.push(await run(revision));
  return outcomes;
}

function describeGatherFailure(outcomes: readonly EraOutcome[], signal: AbortSignal): GatherFailure {
  const failed = outcomes.filter((one) => !one.ok);
  const reasons = failed.map(({ revision, handshake }) => `${revision}: ${handshake.because}`);
  const stderr = failed.map((one) => one.stderr).find((text) => text !== "") ?? "";
  const detail = [...reasons, ...(stderr === "" ? [] : ["", stderr])].join("\n");
  if (signal.aborted)
    return { code: "interrupted", message: "You ended the probe before the server answered.", detail };
  if (failed.some(({ handshake }) => asksForCredentials(handshake.answer)))
    return { code: "credentials", message: "The server asks for credentials.", detail };
  const [first] = failed;
  return { code: "unreachable", message: first?.handshake.because ?? "No era was tried.", detail };
}
