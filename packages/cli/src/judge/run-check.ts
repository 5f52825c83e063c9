import type { CheckResult, CheckSeverity, ProbeCheck } from "../checks/check.ts";
import type { EraRecord, EraRevision, Recording } from "../recording/recording.ts";

/** What a check says about all eras of a recording. */
export type Verdict =
  | { readonly state: "pass" }
  | { readonly state: "skipped"; readonly because: string }
  | {
      readonly state: "fail";
      readonly message: string;
      /** The eras in which it failed. */
      readonly eras: readonly EraRevision[];
      /** Ids of exchanges; the clearest one of each era comes first. */
      readonly evidence: readonly string[];
    };

/** Runs a check on every era that it is about. It fails if it fails in one of them. */
export function runCheck(check: ProbeCheck, recording: Recording): Verdict {
  const because = whySkipped(check, recording);
  if (because !== undefined) return { state: "skipped", because };
  const results = recording.eras
    .filter((era) => appliesTo(check, era))
    .map((era) => ({ era, result: runSafely(check, recording, era) }));
  const failed = results.flatMap(({ era, result }) => (result.state === "fail" ? [{ era, result }] : []));
  const [first] = failed;
  if (first !== undefined)
    return {
      state: "fail",
      message: first.result.message,
      eras: failed.map(({ era }) => era.revision),
      evidence: interleave(failed.map(({ result }) => result.evidence)),
    };
  if (results.some(({ result }) => result.state === "pass")) return { state: "pass" };
  const skipped = results.find(({ result }) => result.state === "skipped")?.result;
  return skipped?.state === "skipped" ? skipped : { state: "skipped", because: "There was nothing to look at." };
}

/** How bad a finding of this check is on this server. */
export function checkSeverity(check: ProbeCheck, { target }: Recording): CheckSeverity {
  const { severity, severityOn } = check;
  if (target.transport === "stdio") return severityOn?.stdio ?? severity;
  return target.loopback ? severity : (severityOn?.remote ?? severity);
}

const TRANSPORT_NAMES = { stdio: "stdio", http: "HTTP" } as const;

function whySkipped(check: ProbeCheck, { target, eras }: Recording): string | undefined {
  if (check.transport !== undefined && check.transport !== target.transport)
    return `This is about servers over ${TRANSPORT_NAMES[check.transport]}.`;
  if (eras.length === 0) return "The server was not probed.";
  if (!eras.some((era) => appliesTo(check, era)))
    return `This is about MCP ${check.revisions?.join(" and ")}, which was not probed.`;
  return undefined;
}

function appliesTo({ revisions }: ProbeCheck, { revision }: EraRecord): boolean {
  return revisions === undefined || revisions.includes(revision);
}

/** A check that throws has a bug. The other checks still have something to say. */
function runSafely(check: ProbeCheck, recording: Recording, era: EraRecord): CheckResult {
  try {
    return check.run({ recording, era });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { state: "skipped", because: `The check itself failed, which is a bug in recourse: ${text}` };
  }
}

/** The first of each list, then the second of each. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
  return [...new Set(inTurn.flat())];
}
