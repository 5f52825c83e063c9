import { CHECKS } from "../../checks/catalogue.ts";
import type { Check } from "../../checks/check.ts";
import type { OptionValues, Outcome } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";
import { writeJson } from "../../program/write-json.ts";
import { docsOf } from "../../report/docs-url.ts";
import { layOut } from "../../terminal/columns.ts";
import { terminalOf } from "../../terminal/terminal.ts";

/** Lists every check: what it asks for, and how bad a finding is. */
export function listChecks(options: OptionValues, io: Io): Outcome {
  if (options["json"] === true) {
    writeJson(io.stdout, CHECKS.map(described));
    return { exit: "ok" };
  }
  const { width, styles } = terminalOf(io.stdout, io.env, options);
  const categories = Map.groupBy(CHECKS, ({ category }) => category);
  const blocks = [...categories].map(([category, checks]) => {
    const rows = checks.map(({ id, severity, title, preview }) => [id, preview === true ? "preview" : severity, title]);
    return [`  ${styles.bold(category)}`, ...layOut(rows, { width, indent: "    " })].join("\n");
  });
  io.stdout.write(`${blocks.join("\n\n")}\n\n  ${CHECKS.length} checks. More about one: recourse explain <id>\n`);
  return { exit: "ok" };
}

function described({ id, category, severity, severityOn, title, why, source, preview, follows }: Check) {
  return {
    id,
    category,
    severity,
    ...(severityOn !== undefined && { severityOn }),
    title,
    why,
    source,
    preview: preview === true,
    follows: follows ?? [],
    docs: docsOf(id),
  };
}
