// The names that search looks up exactly and by their beginnings, before it asks for pages: one small file.
import { KINDS } from "@recourse/core";
import { CONNECTION_CAUSE_IDS, CONNECTION_CAUSES, catalogue, KIND_DOCS } from "@recourse/explain";
import { PROBE_CHECKS } from "../../packages/cli/src/checks/catalogue.ts";
import { COMMANDS } from "../../packages/cli/src/commands/index.ts";
import { anchorOf } from "../../scripts/generate/markdown.ts";
import { listHeadings } from "../content/markdown.ts";
import { makeCodeBook } from "./codes.ts";
import type { ExactIndex, IndexGroup } from "./find-exact.ts";

/** Makes the index, the most certain names first. `configuration` is the page whose headings are the options of the gateway. */
export function makeExactIndex(configuration: string): ExactIndex {
  const classes = [...new Set(Object.values(KINDS).map((row) => row.class))];
  const options = listHeadings(configuration)
    .filter(({ level, text }) => level === 3 && text.startsWith("`"))
    .map(({ text }) => text.replaceAll("`", ""));
  const groups: readonly IndexGroup[] = [
    {
      label: "Reason",
      at: "/errors/{}/",
      names: Object.fromEntries(Object.values(catalogue).map(({ id, doc }) => [id, doc.title])),
    },
    {
      label: "Code",
      at: "/errors/?q={}",
      names: Object.fromEntries(
        Object.entries(makeCodeBook().codes).map(([code, { senses }]) => [code, sayCode(senses)]),
      ),
    },
    {
      label: "Kind",
      at: "/errors/by-kind/#{}",
      names: Object.fromEntries(Object.entries(KIND_DOCS).map(([kind, { title }]) => [kind, title])),
    },
    {
      label: "Class",
      at: "/errors/by-class/#{}",
      names: Object.fromEntries(classes.map((name) => [name, "All errors of this class"])),
    },
    {
      label: "Check",
      at: "/checks/{}/",
      names: Object.fromEntries(PROBE_CHECKS.map(({ id, title }) => [id, title.replace(/\.$/, "")])),
    },
    {
      label: "Cause",
      at: "/causes/{}/",
      as: Object.fromEntries(CONNECTION_CAUSE_IDS.map((id) => [id, id.toLowerCase()])),
      names: Object.fromEntries(
        CONNECTION_CAUSE_IDS.map((id) => [id, CONNECTION_CAUSES[id].title.replaceAll("`", "")]),
      ),
    },
    {
      label: "Command",
      at: "/cli/{}/",
      names: Object.fromEntries(COMMANDS.map(({ name, about }) => [name, about.replace(/\.$/, "")])),
    },
    {
      label: "Option of the gateway",
      at: "/gateway/configuration/#{}",
      as: Object.fromEntries(options.map((name) => [name, anchorOf(name)])),
      names: Object.fromEntries(options.map((name) => [name, "Configure the gateway"])),
    },
  ];
  return { groups };
}

function sayCode(senses: readonly { readonly meaning: string }[]): string {
  const [first] = senses;
  const others = senses.length - 1;
  const more = others === 0 ? "" : others === 1 ? ", or one other meaning" : `, or ${others} other meanings`;
  return `${first?.meaning ?? ""}${more}`;
}
