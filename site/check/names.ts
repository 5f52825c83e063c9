// Names of reasons in the text of the pages: each exists. Code that looks like a reason and is something else is listed here.
import { catalogue, RETIRED } from "@recourse/explain";
import { readSources, type SourcePage } from "../content/sources.ts";
import type { CheckResult } from "./check.ts";

/** First parts of names that are not reasons. */
const OTHER_DOMAINS: Readonly<Record<string, string>> = {
  application: "media types",
  decide: "vectors of conformance",
  examples: "a folder of the repository",
  folder: "the form of a vector",
  localhost: "an address",
  mcp: "vectors of conformance",
  notifications: "messages of MCP",
  packages: "a folder of the repository",
  prompts: "methods of MCP",
  reasons: "a folder of the repository",
  recourse: "members of _meta, and methods of the client",
  ref: "types of MCP",
  reference: "a folder of the repository",
  render: "vectors of conformance",
  resources: "methods of MCP",
  roots: "methods of MCP",
  server: "methods of MCP",
  site: "a folder of the repository",
  subscriptions: "methods of MCP",
  tasks: "methods of MCP",
  tools: "methods of MCP",
  wire: "a package and its entry point",
};

/** Names that are not reasons of the library. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "completion/complete": "a method of MCP",
  "domain/name": "the form of a reason",
  "elicitation/create": "a method of MCP",
  "elicitation/form": "a capability of MCP",
  "warehouse/sold_out": "a reason of the reader's own, in a sample",
};

const REASON = /`([a-z][a-z0-9_-]*)\/([a-z][a-z0-9_]*)`/g;
const BLOCK = /^(```+|~~~+)[\s\S]*?^\1/gm;

/** Inline code of a page that looks like a reason. */
export function listReasonNames(markdown: string): readonly string[] {
  return [...markdown.replaceAll(BLOCK, "").matchAll(REASON)].map(([, domain, name]) => `${domain}/${name}`);
}

/** Names of the pages that neither exist nor are listed, and listed ones that no page has. */
export function findNameProblems(pages: readonly SourcePage[]): readonly string[] {
  const unused = new Set([...Object.keys(OTHER_DOMAINS), ...Object.keys(OTHER_NAMES)]);
  const unknown = pages.flatMap(({ file, text }) =>
    [...new Set(listReasonNames(text))].flatMap((name) => {
      if (Object.hasOwn(catalogue, name) || RETIRED.includes(name)) return [];
      const [domain = ""] = name.split("/");
      const listed = Object.hasOwn(OTHER_NAMES, name)
        ? name
        : Object.hasOwn(OTHER_DOMAINS, domain)
          ? domain
          : undefined;
      if (listed === undefined) return [`${file}: ${name} is not a reason`];
      unused.delete(listed);
      return [];
    }),
  );
  return [...unknown, ...[...unused].map((name) => `site/check/names.ts: no page has ${name}`)];
}

/** Checks the names of all pages. */
export async function checkNames(): Promise<CheckResult> {
  const pages = readSources();
  const names = pages.flatMap(({ text }) => listReasonNames(text));
  return {
    figures: `${pages.length} pages, ${names.length} names, ${new Set(names).size} of them different`,
    problems: findNameProblems(pages),
  };
}
