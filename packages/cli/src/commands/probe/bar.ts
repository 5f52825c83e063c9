import { SEVERITIES } from "../../checks/check.ts";
import type { CommandFailure } from "../../program/command.ts";
import type { Report } from "../../report/report.ts";
import { listed } from "../../report/sections.ts";
import type { ProbeSettings } from "./settings.ts";

/** Why a report does not reach the bar that you set. Undefined if it does. */
export function missedBar(
  report: Report,
  { failUnder, failOn }: Pick<ProbeSettings, "failUnder" | "failOn">,
): CommandFailure | undefined {
  const { score, checks, stale } = report;
  if (failUnder !== undefined && score < failUnder)
    return failed("under-bar", `The score is ${score}, and --fail-under asks for ${failUnder}.`);
  if (failOn !== undefined) {
    const bad = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    const found = checks.filter(({ state, severity }) => state === "fail" && bad.includes(severity));
    if (found.length > 0)
      return failed("findings", `--fail-on ${failOn} does not allow ${listed(found.map(({ id }) => id))}.`);
  }
  if (stale.length > 0)
    return failed("stale-baseline", `The baseline lists what passes now. Remove ${listed(stale)} from it.`);
  return undefined;
}

function failed(code: string, message: string): CommandFailure {
  return { exit: "findings", code, message };
}
