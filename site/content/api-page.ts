// Makes pages of the site from the Markdown of TypeDoc: one page for an entry point, with the namespaces that it exports,
// anchors that name what they lead to (`#CallOptions.deadlineMs`), and links between pages.
import { posix } from "node:path";
import { REPOSITORY, toRelative } from "./links.ts";
import { splitCode } from "./markdown.ts";

/** A file that TypeDoc wrote. */
export interface ApiFile {
  /** The page that shows it. */
  readonly address: string;
  /** The namespace that it describes, if it is not an entry point. */
  readonly namespace?: string;
  readonly markdown: string;
}

/** The files of TypeDoc, by their path. */
export type ApiFiles = ReadonlyMap<string, ApiFile>;

const ANCHOR_LINE = /^<a id="([^"]+)"><\/a>$/;
const HEADING = /^(#{2,6}) (.+)$/;
const MEMBER = /<a id="([^"]+)"><\/a> `([^`]+)`/g;
const LINK = /\]\(([^()\s]+)\)/g;

/** The name in a heading or a cell: `execute()` is `execute`, `not\_found` is `not_found`. */
function readName(text: string): string {
  const plain = text.replaceAll(/[~`\\]/g, "").replace(/(?:<.*>)?(?:\(\))?\??$/, "");
  return plain.trim().replaceAll(/[^\w$.-]+/g, "-");
}

/** A file whose anchors have their final names. */
export interface NamedFile {
  readonly markdown: string;
  /** From TypeDoc's anchors, which are numbered, to ours. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** Gives every heading and every member in a table an anchor that names it. */
export function nameAnchors({ markdown, namespace }: Pick<ApiFile, "markdown" | "namespace">): NamedFile {
  const anchors = new Map<string, string>();
  const taken = new Map<string, number>();
  const claim = (parts: readonly (string | undefined)[]) => {
    const name = [namespace, ...parts].filter((part) => part !== undefined).join(".");
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
  /** The names of the headings above a line, by level. Headings that only group, such as "Properties", have none. */
  const path: (string | undefined)[] = [];
  let announced: string | undefined;

  const nameHeading = (level: number, text: string): string => {
    const parents = path.slice(0, level);
    const isGroup = announced === undefined;
    const name = isGroup ? readName(text).toLowerCase() : readName(text);
    path.length = level;
    path[level] = isGroup ? undefined : name;
    const id = claim([...parents, name]);
    if (announced !== undefined) anchors.set(announced, id);
    announced = undefined;
    return `${"#".repeat(level)} ${text} {#${id}}`;
  };
  const nameMember = (whole: string, old: string, member: string): string => {
    if (old.startsWith("type-parameter-")) return `\`${member}\``;
    const id = claim([...path, readName(member)]);
    anchors.set(old, id);
    return whole.replace(old, id);
  };
  const changeLine = (line: string): readonly string[] => {
    const [, anchor] = ANCHOR_LINE.exec(line) ?? [];
    if (anchor !== undefined) {
      announced = anchor;
      return [];
    }
    const [, marks, text = ""] = HEADING.exec(line) ?? [];
    return [marks === undefined ? line.replaceAll(MEMBER, nameMember) : nameHeading(marks.length, text)];
  };
  const lines = splitCode(markdown).map(({ isCode, text }) =>
    isCode ? text : text.split("\n").flatMap(changeLine).join("\n"),
  );
  return { markdown: lines.join("\n"), anchors };
}

/** What is left out or said otherwise: lines between members, TypeDoc's name for an unnamed parameter, one-line defaults. */
function tidy(markdown: string): string {
  return (
    markdown
      .replaceAll(/^\*\*\*\n+/gm, "")
      .replaceAll("__namedParameters", "options")
      // Unions begin with a bar, as they do in code.
      .replaceAll(/(\n\n|\| ) *\\\| /g, "$1")
      .replaceAll(/^Defined in: \[packages\/[^/]+\/src\/([^\]]+)\]/gm, "Source: [$1]")
      .replaceAll(/^#+ Default\n\n```ts\n(.+)\n```$/gm, "Default: `$1`")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()
  );
}

/** A namespace of reasons as a table: the page of each reason says more than its type. Undefined if it holds other things. */
function tabulateReasons(namespace: string, markdown: string, address: string): string | undefined {
  const sections = markdown.split(/^### /m).slice(1);
  const rows = sections.map((section) => {
    const [, reason] = /: Reason<"([^"]+)"/.exec(section) ?? [];
    const [name = ""] = section.split("\n");
    const text = section.slice(section.indexOf("Source: ")).split("\n\n")[1] ?? "";
    const id = `${namespace}.${readName(name)}`;
    return reason === undefined
      ? undefined
      : `| <a id="${id}"></a> [\`${id}\`](${toRelative(address, `/errors/${reason}/`)}) | ${text.replaceAll("\n", " ")} |`;
  });
  if (rows.includes(undefined)) return undefined;
  return ["| Reason | When |", "| --- | --- |", ...rows].join("\n");
}

/** The Markdown of one page, from all files that belong to it. */
export function makeApiBody(files: ApiFiles, address: string, options: { readonly revision: string }): string {
  const named = nameAll(files);
  const parts = [...files].filter(([, file]) => file.address === address);
  const change = (path: string) => {
    const markdown = named.get(path)?.markdown ?? "";
    return tidy(changeTargets(markdown, (link) => rewriteApiLink({ link, path, address, files, named, ...options })));
  };
  return parts
    .toSorted(([, a], [, b]) => ((a.namespace ?? "") < (b.namespace ?? "") ? -1 : 1))
    .map(([path, { namespace, markdown }]) => {
      if (namespace === undefined) return change(path);
      const body = tabulateReasons(namespace, tidy(markdown), address) ?? change(path).replaceAll(/^## .+\n+/gm, "");
      return `## ${namespace} {#${namespace}}\n\n${body}`;
    })
    .join("\n\n");
}

/** Anchors are named once for all pages. */
const namedFiles = new WeakMap<ApiFiles, ReadonlyMap<string, NamedFile>>();

function nameAll(files: ApiFiles): ReadonlyMap<string, NamedFile> {
  const known = namedFiles.get(files);
  if (known !== undefined) return known;
  const named = new Map([...files].map(([path, file]) => [path, nameAnchors(file)]));
  namedFiles.set(files, named);
  return named;
}

function changeTargets(markdown: string, change: (target: string) => string): string {
  return splitCode(markdown)
    .map(({ isCode, text }) => (isCode ? text : text.replaceAll(LINK, (_, target: string) => `](${change(target)})`)))
    .join("\n");
}

interface ApiLink {
  readonly link: string;
  readonly path: string;
  readonly address: string;
  readonly files: ApiFiles;
  readonly named: ReadonlyMap<string, NamedFile>;
  readonly revision: string;
}

/** Links to sources lead into the repository, links between files to the page that shows the file. */
function rewriteApiLink({ link, path, address, files, named, revision }: ApiLink): string {
  if (link.startsWith("source:")) return `${REPOSITORY}/blob/${revision}/${link.slice("source:".length)}`;
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? path : posix.join(posix.dirname(path), file);
  const page = files.get(target);
  if (page === undefined) return link;
  const name = anchor === undefined ? page.namespace : (named.get(target)?.anchors.get(anchor) ?? anchor);
  const hash = name === undefined ? "" : `#${name}`;
  return page.address === address && hash !== "" ? hash : `${toRelative(address, page.address)}${hash}`;
}
