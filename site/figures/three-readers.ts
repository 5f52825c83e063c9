import { type Branch, drawNarrowBranches, drawWideBranches } from "./branches.ts";
import { type Block, drawCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";

const INCIDENT = "01M7FGZ4G2MC3N19JYCNTAKZRP";
const EFFECT = "Check the current state before repeating the call.";
/** The second row of the table in the README. */
const SENTENCE = `The tool "cancel_order" reported a failure. The call may have taken effect. ${EFFECT} If you report this, give incident ${INCIDENT}.`;

const CALL: readonly Block[] = [
  { text: "One failed call", style: "label" },
  { text: "cancel_order({ order: 8 })", style: "name", before: 2 },
  { text: "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5", style: "code", color: "bad", before: 2 },
];

const READERS: readonly Branch[] = [
  {
    blocks: [
      { text: "The model", style: "title" },
      { text: "reads a sentence", style: "label" },
      {
        text: SENTENCE.replace(EFFECT, `==${EFFECT}==`).replace(INCIDENT, `\`${INCIDENT}\``),
        style: "body",
        color: "text",
        before: 12,
      },
    ],
    look: { stroke: "accent" },
  },
  {
    blocks: [
      { text: "Your program", style: "title" },
      { text: "gets a typed fault", style: "label" },
      { text: 'kind: "unknown"', style: "code", before: 12 },
      { text: 'class: "terminal"', style: "code", before: 2 },
      { text: 'reason: "tool/failed"', style: "code", before: 2 },
      { text: 'effect: "possible"', style: "code", before: 2 },
      { text: 'recourse: [{ do: "refresh" }, …]', style: "code", before: 2 },
      { text: 'incident: "01M7FGZ4…"', style: "code", before: 2 },
    ],
  },
  {
    blocks: [
      { text: "You", style: "title" },
      { text: "find the incident in your log", style: "label" },
      { text: "incident=01M7FGZ4…", style: "code", before: 12 },
      { text: "tool=cancel_order", style: "code", before: 2 },
      { text: "Error: connect", style: "code", before: 2 },
      { text: "ECONNREFUSED postgres://", style: "code", before: 2 },
      { text: "app:[removed]@10.0.0.5", style: "code", before: 2 },
      { text: "at server.ts:16", style: "code", before: 2 },
    ],
  },
];

/** The landing page and the README begin with it. */
export const threeReaders = defineFigure({
  name: "three-readers",
  title: "One failed call, three readers",
  description:
    "A call of cancel_order fails with a driver error that holds a password. The model reads a sentence without it, the program gets a typed fault, and the operator finds an incident in the log.",
  caption: "One failed call, three readers. The driver’s text goes neither to the model nor to the program.",
  items: [
    "The call: cancel_order with order 8 fails with “connect ECONNREFUSED postgres://app:hunter2@10.0.0.5”.",
    `The model reads: ${SENTENCE}`,
    "The program gets a fault: kind unknown, class terminal, reason tool/failed, effect possible, next move refresh, and the incident id.",
    "The operator finds the incident by its id in the log: the tool, the error with its stack, the password removed.",
  ],
  layouts: {
    wide(sheet) {
      const { height } = drawCard(sheet, CALL, { x: 140, y: 0, width: 440 }, { fill: "sunken" });
      drawWideBranches(sheet, READERS, height);
    },
    narrow(sheet) {
      const { height } = drawCard(sheet, CALL, { x: 0, y: 0, width: 328, padding: 14 }, { fill: "sunken" });
      drawNarrowBranches(sheet, READERS, height);
    },
  },
});
