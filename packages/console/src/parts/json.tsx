import "../style/json.css";
import { useMemo, useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import { type JsonTree, readJsonTree } from "../format/json-tree.ts";
import { withNoun } from "../format/numbers.ts";
import { Copy } from "./copy.tsx";
import { Foreign } from "./foreign.tsx";

/** Deeper levels are folded at first. */
const OPEN_LEVELS = 2;
/** This many members are shown before the user wants all. */
const MAX_SHOWN = 100;

/** JSON as a tree, from its text: numbers exactly as written. What is copied is the text, unchanged. */
export function Json({
  text,
  label,
}: {
  readonly text: string /** What it is, such as "the fault". */;
  readonly label: string;
}) {
  const tree = useMemo(() => readJsonTree(text), [text]);
  return (
    <div class="json">
      <Copy text={text} label={label}>
        Copy
      </Copy>
      {tree === undefined ? (
        <pre>
          <Foreign text={text} />
        </pre>
      ) : (
        <div class="json-tree">
          <JsonValue tree={tree} level={0} />
        </div>
      )}
    </div>
  );
}

function JsonValue({ name, tree, level }: { readonly name?: string; readonly tree: JsonTree; readonly level: number }) {
  const members = listMembers(tree);
  const [isWhole, showAll] = useState(false);
  if (members === undefined || members.length === 0)
    return (
      <div class="json-row">
        <JsonName name={name} />
        <JsonLeaf tree={tree} />
      </div>
    );
  const shown = isWhole ? members : members.slice(0, MAX_SHOWN);
  return (
    <details open={level < OPEN_LEVELS}>
      <summary>
        <JsonName name={name} />
        <span class="sub">
          {tree.type === "array" ? withNoun(members.length, "item") : withNoun(members.length, "member")}
        </span>
      </summary>
      <div class="json-in">
        {shown.map(([key, value], place) => (
          <JsonValue key={place} name={key} tree={value} level={level + 1} />
        ))}
        {shown.length < members.length && (
          <button type="button" class="quiet" onClick={() => showAll(true)}>
            Show all {members.length.toLocaleString("en-US")}
          </button>
        )}
      </div>
    </details>
  );
}

function JsonName({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : (
    <>
      <bdi class="json-name">{showHidden(name)}</bdi>{" "}
    </>
  );
}

function JsonLeaf({ tree }: { readonly tree: JsonTree }) {
  switch (tree.type) {
    case "object":
      return <code>{"{}"}</code>;
    case "array":
      return <code>[]</code>;
    case "string":
      return tree.value === "" ? <code>""</code> : <Foreign text={tree.value} />;
    case "plain":
      return <code class="json-plain">{tree.text}</code>;
    default:
      return tree satisfies never;
  }
}

function listMembers(tree: JsonTree): readonly (readonly [string, JsonTree])[] | undefined {
  if (tree.type === "object") return tree.entries;
  if (tree.type === "array") return tree.items.map((item, place) => [String(place), item] as const);
  return undefined;
}
