// Tables that everyone can read: in a box that scrolls and has a name, with a head for each row if the first line is empty.
import type { HastNode, HastPluginDefinition, PluginFactoryContext } from "satteri";

type HastElement = Extract<HastNode, { type: "element" }>;

const HEADINGS = ["h2", "h3", "h4", "h5", "h6"];

const isElement = (node: HastNode, name?: string): node is HastElement =>
  node.type === "element" && (name === undefined || node.tagName === name);

/** The elements below a node, of one name. */
function listChildren(node: HastElement, name: string): readonly HastElement[] {
  return node.children.filter((child): child is HastElement => isElement(child as HastNode, name));
}

const isEmpty = (cell: HastElement) => cell.children.length === 0;

/** The head of a table, if any of its cells says something; a single empty cell gets a word that only screen readers say. */
function makeHead(head: HastElement | undefined): HastElement | undefined {
  const [row] = head === undefined ? [] : listChildren(head, "tr");
  const cells = row === undefined ? [] : listChildren(row, "th");
  if (head === undefined || row === undefined || cells.every(isEmpty)) return undefined;
  if (!cells.some(isEmpty)) return head;
  const named = cells.map((cell) =>
    isEmpty(cell)
      ? {
          ...cell,
          children: [
            {
              type: "element",
              tagName: "span",
              properties: { className: ["sr-only"] },
              children: [{ type: "text", value: "Item" }],
            },
          ],
        }
      : cell,
  );
  return { ...head, children: [{ ...row, children: named }] } as HastElement;
}

/** A body whose first cells are the heads of their rows. */
function makeFacts(body: HastElement): HastElement {
  const rows = listChildren(body, "tr").map((row) => {
    const [first, ...others] = listChildren(row, "td");
    return first === undefined
      ? row
      : {
          ...row,
          children: [{ ...first, tagName: "th", properties: { ...first.properties, scope: "row" } }, ...others],
        };
  });
  return { ...body, children: rows } as HastElement;
}

/** The plugin for one page. */
export function readableTables(_: PluginFactoryContext): HastPluginDefinition {
  let heading = "this page";
  let count = 0;
  return {
    name: "recourse-tables",
    element: {
      filter: ["table", ...HEADINGS],
      visit(node, context) {
        if (node.tagName !== "table") {
          heading = context.textContent(node);
          return undefined;
        }
        count += 1;
        const [head] = listChildren(node, "thead");
        const [body] = listChildren(node, "tbody");
        const newHead = makeHead(head);
        const isFacts = newHead === undefined;
        const parts = [newHead, body === undefined ? undefined : isFacts ? makeFacts(body) : body];
        return {
          type: "element",
          tagName: "section",
          properties: {
            className: ["table-box"],
            tabIndex: 0,
            ariaLabel: `Table ${count}: ${heading}`,
          },
          children: [
            {
              type: "element",
              tagName: "table",
              properties: isFacts ? { className: ["facts"] } : {},
              children: parts.filter((part) => part !== undefined),
            },
          ],
        };
      },
    },
  };
}
