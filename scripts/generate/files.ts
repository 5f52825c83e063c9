import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONNECTION_CAUSE_IDS, catalogue } from "@recourse/explain";
import { factFiles, factsPage } from "../../conformance/facts.ts";
import { PROBE_CHECKS } from "../../packages/cli/src/checks/catalogue.ts";
import { COMMANDS } from "../../packages/cli/src/commands/index.ts";
import { faultSchema } from "../../packages/core/src/fault/schema.ts";
import { adminDocument, ROUTES } from "../../packages/gateway/src/admin/app.ts";
import { CONFIG_SCHEMA } from "../../packages/gateway/src/config/schema.ts";
import { comparePages } from "../../research/compare/page.ts";
import { modelTextPage } from "../../research/model-text/page.ts";
import { publicServersPage } from "../../research/public-servers/page.ts";
import { publicServersTextsPage } from "../../research/public-servers/texts-page.ts";
import { SITE_URL } from "../../site/content/address.ts";
import { renderFile, THEMES } from "../../site/figures/file.ts";
import { FIGURES } from "../../site/figures/index.ts";
import { causeFile, causeIndex, causePage } from "./cause-pages.ts";
import { checkIndex, checkPage } from "./check-pages.ts";
import { cliPages } from "./cli-pages.ts";
import { errorCodes } from "./error-codes.ts";
import { gatewayAdminPage } from "./gateway-admin-page.ts";
import { gatewayConfigPage } from "./gateway-config-page.ts";
import { httpTable } from "./http-table.ts";
import { byClass, byKind, bySystem, readme } from "./index-pages.ts";
import { json } from "./json.ts";
import { contributingPage } from "./package-drawing.ts";
import { packageReadme } from "./package-readme.ts";
import { prometheusRule } from "./prometheus-rule.ts";
import { reasonList } from "./reason-list.ts";
import { reasonPage } from "./reason-page.ts";
import { scalePage } from "./scale-page.ts";
import { scorePage } from "./score-page.ts";
import { textRules, textRulesPage } from "./text-rules.ts";

const PAGES = "docs/errors";
const CHECK_PAGES = "docs/checks";
const CAUSE_PAGES = "docs/causes";
/** These folders contain only generated pages. Every other file in them is left over. */
const FOLDERS = [PAGES, CHECK_PAGES, CAUSE_PAGES];

/** Returns the text of every generated file by its path from the root. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const entries = Object.values(catalogue);
  return new Map([
    [`${PAGES}/README.md`, readme(entries)],
    [`${PAGES}/by-kind.md`, byKind(entries)],
    [`${PAGES}/by-class.md`, byClass(entries)],
    [`${PAGES}/by-system.md`, bySystem(entries)],
    ...entries.map((entry) => [`${PAGES}/${entry.id}.md`, reasonPage(entry)] as const),
    ...cliPages(COMMANDS),
    [`${CHECK_PAGES}/README.md`, checkIndex(PROBE_CHECKS)],
    ...PROBE_CHECKS.map((check) => [`${CHECK_PAGES}/${check.id}.md`, checkPage(check, PROBE_CHECKS)] as const),
    ["docs/cli/score.md", scorePage(PROBE_CHECKS)],
    ["docs/http-table.md", httpTable()],
    [`${CAUSE_PAGES}/README.md`, causeIndex()],
    ...CONNECTION_CAUSE_IDS.map((id) => [`${CAUSE_PAGES}/${causeFile(id)}`, causePage(id)] as const),
    ["docs/what-the-model-reads.md", modelTextPage()],
    ["docs/public-servers.md", publicServersPage()],
    ["docs/public-servers-texts.md", publicServersTextsPage()],
    ...comparePages(),
    ...FIGURES.flatMap((figure) =>
      THEMES.map((theme) => [`docs/pictures/${figure.name}-${theme}.svg`, renderFile(figure, theme)] as const),
    ),
    ["packages/faults/schema/fault.json", json({ $id: `${SITE_URL}/schema/fault.json`, ...faultSchema })],
    ["conformance/reasons.json", json(reasonList())],
    ["python/src/recourse_faults/reasons.json", json(reasonList())],
    ["conformance/codes.json", json(errorCodes())],
    ["python/src/recourse_faults/codes.json", json(errorCodes())],
    ["packages/gateway/gateway.schema.json", json({ $id: `${SITE_URL}/schema/gateway.json`, ...CONFIG_SCHEMA })],
    ["docs/scale.md", scalePage()],
    ["docs/gateway/configuration.md", gatewayConfigPage(CONFIG_SCHEMA)],
    ["packages/gateway/openapi.json", json(adminDocument())],
    ["docs/gateway/admin.md", gatewayAdminPage(ROUTES)],
    ["packages/faults/README.md", packageReadme()],
    ["CONTRIBUTING.md", contributingPage()],
    ["conformance/FACTS.md", factsPage(factFiles())],
    ["conformance/text-rules.json", json(textRules())],
    ["conformance/TEXT-RULES.md", textRulesPage()],
    ["deploy/kubernetes/components/metrics-operator/prometheusrule.yaml", prometheusRule()],
  ]);
}

/** How the files on disk differ from the generated ones. */
export interface Difference {
  /** Paths of files that are missing or have another text. */
  readonly stale: readonly string[];
  /** Paths of files that are not generated any more. */
  readonly left: readonly string[];
}

/** Compares the generated files with those below `root`. */
export function compare(root: string, files: ReadonlyMap<string, string>): Difference {
  const onDisk = FOLDERS.flatMap((folder) => filesIn(join(root, folder)).map((path) => `${folder}/${path}`));
  return {
    stale: [...files].filter(([path, text]) => textOf(join(root, path)) !== text).map(([path]) => path),
    left: onDisk.filter((path) => !files.has(path)),
  };
}

/** The text of a page that is written by hand, below `root`. */
export function handWritten(root: string, path: string): string | undefined {
  return textOf(join(root, path));
}

/** Writes the files that differ and removes those that are left over. */
export function update(root: string, files: ReadonlyMap<string, string>, { stale, left }: Difference): void {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path) ?? "");
  }
  for (const path of left) rmSync(join(root, path));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll("\\", "/"),
      )
      .toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
