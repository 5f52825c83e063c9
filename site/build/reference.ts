// Makes the pages of the reference: the API by TypeDoc, the JSON Schemas, and a list of all of them.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SITE_URL } from "../content/address.ts";
import { type ApiFiles, makeApiBody } from "../content/api-page.ts";
import { type LinkOptions, toRelative } from "../content/links.ts";
import type { SitePage } from "../content/page.ts";
import { ROOT } from "../content/sources.ts";
import { type EntryPoint, type PublishedPackage, readPackages } from "../data/entry-points.ts";
import { describeFaultMembers } from "../data/fault-members.ts";
import { renderSchema, type SchemaNode } from "../data/schema-page.ts";
import { readApiFiles, runTypeDoc } from "./typedoc.ts";

const PUBLIC = join(import.meta.dirname, "../public");

/** A schema that is published at `/schema/<name>.json`. */
interface PublishedSchema {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly describe?: (path: string) => string | undefined;
}

/** The schemas that have a page. The admin API has one already. */
function listSchemas(): readonly PublishedSchema[] {
  const members = describeFaultMembers();
  return [
    {
      name: "fault",
      file: "packages/faults/schema/fault.json",
      title: "Schema of a fault",
      description: "Every member of a fault as JSON: its type, its limits and what it is for.",
      describe: (path) => members.get(path),
    },
    {
      name: "gateway",
      file: "packages/gateway/gateway.schema.json",
      title: "Schema of the gateway's configuration",
      description: "Every option of the gateway's configuration file: its type, its default and what it does.",
    },
  ];
}

/** A page that is not made from a Markdown file. */
function makePage(
  page: Pick<SitePage, "title" | "description" | "body"> & { address: string; file: string },
): SitePage {
  const { address, file, title, description, body } = page;
  return { source: { file, address, text: "" }, title, description, body, generatedBy: "site/build/reference.ts" };
}

function makeSchemaPage({ name, file, title, description, describe }: PublishedSchema): SitePage {
  const address = `/reference/schema/${name}/`;
  const schema = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as SchemaNode;
  const raw = `[\`${SITE_URL}/schema/${name}.json\`](${toRelative(address, `/schema/${name}.json`)})`;
  const body = `${description}\n\nThe schema itself, for editors and validators: ${raw}.\n\n${renderSchema(schema, describe && { describe })}`;
  return makePage({ address, file, title, description, body });
}

function makeApiPage(entryPoint: EntryPoint, files: ApiFiles, options: LinkOptions): SitePage {
  const { name, description, address, source } = entryPoint;
  const body = `${description}\n\n${makeApiBody(files, address, options)}\n`;
  return makePage({ address, file: source, title: name, description, body });
}

/** The list of everything that can be looked up. */
function makeIndexPage(packages: readonly PublishedPackage[], schemas: readonly PublishedSchema[]): SitePage {
  const address = "/reference/";
  const link = (text: string, to: string) => `[${text}](${toRelative(address, to)})`;
  const description = "Every entry point of every package, the command line, the gateway's options and the schemas.";
  const body = [
    description,
    "## API",
    ...packages.flatMap((one) => [
      `### ${one.name}`,
      one.description,
      [
        "| Import | What it has |",
        "| --- | --- |",
        ...one.entryPoints.map((entry) => `| ${link(`\`${entry.name}\``, entry.address)} | ${entry.description} |`),
      ].join("\n"),
    ]),
    "## Schemas",
    schemas
      .map(({ name, title, description: text }) => `- ${link(title, `/reference/schema/${name}/`)}: ${text}`)
      .join("\n"),
    "## Command line and gateway",
    [
      `- ${link("Commands of `recourse`", "/cli/")}`,
      `- ${link("Configuration of the gateway", "/gateway/configuration/")}`,
      `- ${link("Admin API of the gateway", "/gateway/admin/")}`,
      `- ${link("HTTP status of each kind", "/http-table/")}`,
    ].join("\n"),
  ].join("\n\n");
  return makePage({ address, file: "packages", title: "Reference", description, body: `${body}\n` });
}

/** Makes all pages of the reference. */
export function makeReference(options: LinkOptions): readonly SitePage[] {
  const packages = readPackages();
  const entryPoints = packages.flatMap((one) => one.entryPoints);
  runTypeDoc(entryPoints);
  const files = readApiFiles(entryPoints);
  const schemas = listSchemas();
  return [
    makeIndexPage(packages, schemas),
    ...entryPoints.map((entryPoint) => makeApiPage(entryPoint, files, options)),
    ...schemas.map(makeSchemaPage),
  ];
}

/** Publishes the schemas as they are. */
export function copySchemas(): void {
  mkdirSync(join(PUBLIC, "schema"), { recursive: true });
  for (const { name, file } of listSchemas()) copyFileSync(join(ROOT, file), join(PUBLIC, `schema/${name}.json`));
}
