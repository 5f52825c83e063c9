// What the site adds to the page of a reason: a card, a link to the playground, its wires, and its relatives.
import { deflateRawSync } from "node:zlib";
import { type CatalogueRow, listReasons } from "../data/catalogue.ts";
import { encodeForPlayground, encodeWires } from "../data/wires.ts";
import { drawEffect } from "./effect-shape.ts";
import { toRelative } from "./links.ts";

/** The first letter as a capital one. */
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

let rows: readonly CatalogueRow[] | undefined;

/** All reasons. They are made once: each page looks for its own and for its relatives. */
function readRows(): readonly CatalogueRow[] {
  rows ??= listReasons();
  return rows;
}

/** The reason that a file of the repository is about. */
function findReason(file: string): CatalogueRow | undefined {
  const [, name] = /^docs\/errors\/([^/]+\/[^/]+)\.md$/.exec(file) ?? [];
  return name === undefined ? undefined : readRows().find(({ reason }) => reason === name);
}

/** Adds the extras to the Markdown of a page. Pages that are not about a reason stay as they are. */
export function addReasonExtras(file: string, body: string): string {
  const row = findReason(file);
  if (row === undefined) return body;
  // The card stands above the table of facts.
  const table = body.indexOf("\n| ");
  const before = table < 0 ? "" : body.slice(0, table);
  const after = table < 0 ? body : body.slice(table + 1);
  return `${[before.trimEnd(), renderCard(row), after.trimEnd(), renderWires(row), renderRelatives(row)].join("\n\n")}\n`;
}

/** One HTML block: without an empty line, Markdown leaves it as it is. */
function renderCard(row: CatalogueRow): string {
  const facts = [
    ["Effect", `${drawEffect(row.effect)} ${capital(row.effectWords)}`, `effect effect-${row.effect}`],
    ["May it be repeated?", capital(row.repeat), ""],
    ["Who acts", capital(row.actor), ""],
    ["Next move", row.moves.map((move) => `<code>${move}</code>`).join(", then "), ""],
  ];
  const items = facts.map(([name = "", value = "", style = ""]) => {
    const mark = style === "" ? "" : ` class="${style}"`;
    return `<div><dt>${name}</dt><dd${mark}>${value}</dd></div>`;
  });
  return [
    '<div class="reason-card not-content">',
    `<dl>${items.join("")}</dl>`,
    `<a class="try-it" href="${toRelative(row.address, "/playground/")}${linkFragment(row.reason)}">Try it in the playground</a>`,
    "</div>",
  ].join("\n");
}

/** The part of the playground's address that holds a text: what `packText` of the playground writes, at build time. */
function linkFragment(reason: string): string {
  return `#z=${deflateRawSync(encodeForPlayground(reason)).toString("base64url")}`;
}

/** Without script each wire can be unfolded; with it they are tabs. Fences between the HTML are coloured as usual. */
function renderWires({ reason }: CatalogueRow): string {
  const blocks = encodeWires(reason).map(({ name, label, language, text }, place) =>
    [
      `<details${place === 0 ? " open" : ""} data-tab="${name}">`,
      `<summary>${label}</summary>`,
      "",
      `\`\`\`${language} wrap\n${text}\n\`\`\``,
      "",
      "</details>",
    ].join("\n"),
  );
  return [
    "## On the wire",
    "What a client receives, for example, in each format:",
    '<wire-tabs aria-label="Formats" data-pagefind-ignore>',
    ...blocks,
    "</wire-tabs>",
  ].join("\n\n");
}

function renderRelatives(row: CatalogueRow): string {
  const relatives = readRows().filter(({ kind, reason }) => kind === row.kind && reason !== row.reason);
  const all = `[All errors of the kind \`${row.kind}\`](${toRelative(row.address, "/errors/by-kind/")}#${row.kind})`;
  const list = relatives.map(
    ({ reason, title, address }) => `- [\`${reason}\`](${toRelative(row.address, address)}): ${title}`,
  );
  // Search finds each of them by its own page.
  const block = list.length === 0 ? [] : ["<div data-pagefind-ignore>", list.join("\n"), "</div>"];
  return ["## Related errors", ...block, all].join("\n\n");
}
