// Prints a trace as a tree, the failed spans marked.
import type { ReceivedSpan } from "./otlp-receiver.ts";

/** One line for each span: a mark where it failed, the service, the name, and what the fault says. */
export function treeOf(spans: readonly ReceivedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const isRoot = ({ parentSpanId = "" }: ReceivedSpan) => !known.has(parentSpanId);
  return inOrder(spans.filter(isRoot))
    .flatMap((root) => linesOf(root, spans, { own: "", below: "" }))
    .map(({ text, note }) => `${text.padEnd(66)}${note}`.trimEnd())
    .join("\n");
}

interface Line {
  readonly text: string;
  readonly note: string;
}

function linesOf(span: ReceivedSpan, all: readonly ReceivedSpan[], indent: { own: string; below: string }): Line[] {
  const mark = span.failed ? "✗ " : "";
  const children = inOrder(all.filter(({ parentSpanId }) => parentSpanId === span.spanId));
  return [
    { text: `${indent.own}${mark}${span.name}  [${span.service}]`, note: noteOf(span) },
    ...children.flatMap((child, at) => {
      const isLast = at === children.length - 1;
      const own = `${indent.below}${isLast ? "└─ " : "├─ "}`;
      return linesOf(child, all, { own, below: `${indent.below}${isLast ? "   " : "│  "}` });
    }),
  ];
}

function noteOf({ attributes, failed }: ReceivedSpan): string {
  const status = attributes["http.response.status_code"];
  const parts = failed ? [attributes["fault.reason"], status] : [];
  return parts.filter((part) => part !== undefined).join(" ");
}

function inOrder(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  return spans.toSorted((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
}
