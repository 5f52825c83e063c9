import { type Branch, drawNarrowBranches, drawWideBranches } from "./branches.ts";
import { type Block, drawCard } from "./cards.ts";
import { defineFigure } from "./figure.ts";

const QUESTION: readonly Block[] = [{ text: "Did the failed call change anything?", style: "title" }];

const EFFECTS: readonly Branch[] = [
  {
    word: "no",
    blocks: [
      { text: "none", style: "name", sign: "none" },
      { text: "When", style: "label", before: 8 },
      { text: "The call was refused before it ran, or it was not sent.", style: "body" },
      { text: "Repeat it?", style: "label", before: 8 },
      { text: "A second call does no harm. It helps if the fault says `retry`.", style: "body" },
    ],
  },
  {
    word: "not known",
    blocks: [
      { text: "possible", style: "name", sign: "possible" },
      { text: "When", style: "label", before: 8 },
      { text: "It was sent and no answer came, or the tool failed while it ran.", style: "body" },
      { text: "Repeat it?", style: "label", before: 8 },
      {
        text: "Look at the state first. Repeat only with the same idempotency key, or if repeating is safe.",
        style: "body",
      },
    ],
    look: { stroke: "warn" },
  },
  {
    word: "yes",
    blocks: [
      { text: "applied", style: "name", sign: "applied" },
      { text: "When", style: "label", before: 8 },
      { text: "It was done, but its result was cut off, unreadable or not kept.", style: "body" },
      { text: "Repeat it?", style: "label", before: 8 },
      { text: "No: it would be done twice. Look at the state instead.", style: "body" },
    ],
  },
];

/** The question that comes before every retry. */
export const effect = defineFigure({
  name: "effect",
  title: "Effect: none, possible, applied",
  description:
    "Three answers to the question whether a failed call changed anything. None: a second call does no harm. Possible: look at the state first. Applied: do not repeat it.",
  caption: "The effect of a failed call decides whether it may be repeated. It counts more than the class.",
  items: [
    "none: the call was refused before it ran, or it was not sent. A second call does no harm; it helps if the fault says retry.",
    "possible: the call was sent and no answer came, or the tool failed while it ran. Look at the state first; repeat only with the same idempotency key, or if repeating is safe.",
    "applied: the call was done, but its result was cut off, unreadable or not kept. Do not repeat it: look at the state instead.",
  ],
  layouts: {
    wide(sheet) {
      const { height } = drawCard(sheet, QUESTION, { x: 200, y: 0, width: 320, padding: 14 }, { fill: "sunken" });
      drawWideBranches(sheet, EFFECTS, height);
    },
    narrow(sheet) {
      const { height } = drawCard(sheet, QUESTION, { x: 0, y: 0, width: 328, padding: 14 }, { fill: "sunken" });
      drawNarrowBranches(sheet, EFFECTS, height);
    },
  },
});
