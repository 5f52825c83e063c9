import { type Fault, KINDS } from "@recourse/core";
import { type CodeMeaning, type Explanation, SYSTEMS, sayRepeat } from "@recourse/explain";
import { DOCS_URL } from "../checks/check.ts";
import { layOut, wrapText } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { joinBlocks, lowerSentence, withoutBackticks } from "../terminal/wording.ts";
import type { CodeTopic, HarmlessTopic, MessageTopic, Topic } from "./find-topic.ts";
import { ACTOR_PHRASES, EFFECT_PHRASES, FAILURE_ACTOR_PHRASES, SURROUNDING_PHRASES } from "./phrases.ts";

/** An explanation for a person, before it is laid out. */
interface TopicPage {
  readonly title: string;
  /** A few words beside the title. */
  readonly aside?: string;
  /** Sentences below the title. */
  readonly lead: readonly string[];
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  readonly sections: readonly PageSection[];
  /** Where to go on: a few words and a command or an address. */
  readonly next: readonly (readonly [string, string])[];
}

/** One part of a page. */
interface PageSection {
  readonly title: string;
  /** Sentences, each with a bullet. */
  readonly items?: readonly string[];
  /** Columns. */
  readonly rows?: readonly (readonly string[])[];
  /** A text that is quoted as it is. */
  readonly quote?: string;
  /** Code that is copied, so its lines are not broken. */
  readonly code?: string;
}

/** The page about a topic. */
export function topicPage(topic: Topic): TopicPage {
  switch (topic.topic) {
    case "code":
      return codePage(topic);
    case "reason":
      return {
        title: topic.reason,
        aside: topic.title,
        lead: [],
        facts: [...identityFacts(topic), ["effect", effectPhrase(topic.effect)], ["repeat", topic.repeat]],
        sections: [
          ...causesAndRemedies(topic),
          { title: "The model reads", quote: topic.example },
          {
            title: "In other systems",
            rows: topic.codes.map(({ system, code, note }) => [SYSTEMS[system].name, code, note ?? ""]),
          },
        ],
        next: [["More", `${DOCS_URL}/errors/${topic.reason}.md`]],
      };
    case "kind": {
      const row = KINDS[topic.kind];
      return {
        title: topic.kind,
        aside: topic.title,
        lead: [topic.meaning],
        facts: [
          ["class", topic.class],
          ["who acts", ACTOR_PHRASES[row.actor]],
          ["effect", effectPhrase(row.effect)],
          ["repeat", sayRepeat(row.retryWhen)],
          ["HTTP", String(row.httpStatus)],
        ],
        sections: [...causesAndRemedies(topic), { title: "Reasons of this kind", items: topic.reasons }],
        next: [["More", `${DOCS_URL}/errors/by-kind.md`]],
      };
    }
    case "class":
      return {
        title: topic.class,
        aside: "a class of failures",
        lead: ["Programs that meet a kind they do not know act on its class."],
        facts: [],
        sections: [{ title: "Kinds of this class", items: topic.kinds }],
        next: [["More", `${DOCS_URL}/errors/by-class.md`]],
      };
    case "check":
      return {
        title: topic.id,
        aside: `${topic.severity} · ${topic.category}`,
        lead: [topic.title],
        facts: [
          ["fails when", topic.failsWhen],
          ...(topic.notCounted === undefined ? [] : [["not counted", topic.notCounted] as const]),
          ["why", topic.why],
          ["comes from", topic.source === "sdk" ? "the official SDK, unless you guard the server" : "your code"],
        ],
        sections: fixSections(topic.fix.text, topic.fix.code),
        next: [["See it on your server", `recourse probe --only ${topic.id} <url | command…>`]],
      };
    case "cause":
      return {
        title: topic.id,
        aside: topic.title,
        lead: [topic.because],
        facts: [["seen", topic.seen]],
        sections: fixSections(topic.fix, topic.code),
        next: [["Look for it", "recourse doctor <url | command…>"]],
      };
    case "message":
      return topic.failure ? messagePage(topic) : harmlessPage(topic);
    default:
      return topic satisfies never;
  }
}

function codePage({ code, rule, meanings }: CodeTopic): TopicPage {
  const isNumber = /^-?\d/.test(code);
  return {
    title: code,
    lead: [
      ...(rule === undefined ? [] : [rule]),
      ...(meanings.length === 0 ? ["No sender of this code is known."] : []),
    ],
    facts: [],
    sections: meaningSections(meanings),
    next: isNumber
      ? [["Have the whole message? Paste it", `recourse explain '{"error":{"code":${code}, "message":"…"}}'`]]
      : [["Find out why", "recourse doctor <url | command…>"]],
  };
}

/** Senders who mean the same stand together. */
function meaningSections(meanings: readonly CodeMeaning[]): PageSection[] {
  const groups = Map.groupBy(meanings, ({ reason, effect, advice }) => `${reason}  effect ${effect}, ${advice}`);
  return [...groups].map(([title, rows]) => ({
    title,
    rows: rows.map(({ sender, status, meaning }) => [status === undefined ? sender : `${sender}, ${status}`, meaning]),
  }));
}

const BASIS_PHRASES = {
  stated: "the sender says so itself",
  mapped: "it has a code or words that mean this",
  guessed: "the words alone suggest it, so it may be something else",
} as const satisfies Record<MessageTopic["reading"]["basis"], string>;

function messagePage({ reading, modelReads, repeat, code, leak }: MessageTopic): TopicPage {
  const { fault, cause, around, basis, leads } = reading;
  const id = leads === "cause" ? cause?.id : fault?.reason;
  const hasOthers = leads === "fault" && code !== undefined && code.meanings.length > 1 && basis !== "stated";
  const places = around.map((one) => SURROUNDING_PHRASES[one]);
  return {
    title: reading.title,
    ...(id === undefined ? {} : { aside: id }),
    lead: [reading.because],
    facts: [
      ["what to do", leads === "cause" ? (cause?.fix ?? reading.advice) : reading.advice],
      ["took effect", effectPhrase(reading.effect)],
      ["who acts", FAILURE_ACTOR_PHRASES[reading.actor]],
      ...(repeat === undefined || leads === "cause" ? [] : [["repeat", repeat] as const]),
      ...(fault === undefined || leads === "cause" ? [] : [["next moves", nextMoves(fault)] as const]),
      ["how sure", BASIS_PHRASES[basis]],
      ["recognised", reading.recognised],
      ...(places.length === 0 ? [] : [["found in", places.join(", ")] as const]),
      ...(leak === undefined ? [] : [["leak", `the text shows ${leak}, so it is left out here`] as const]),
    ],
    sections: [
      ...(reading.code === undefined ? [] : [{ title: "Code", code: reading.code }]),
      ...(modelReads === undefined || leads === "cause"
        ? []
        : [{ title: "With Recourse the model reads", quote: modelReads }]),
    ],
    next: [
      ...(cause === undefined ? [] : [["More about the cause", `recourse explain ${cause.id}`] as const]),
      ...(fault === undefined ? [] : [["More about the reason", `recourse explain ${fault.reason}`] as const]),
      ...(hasOthers ? [[`What else ${code.code} can mean`, `recourse explain ${code.code}`] as const] : []),
    ],
  };
}

function harmlessPage({ because, isUnmarked, says, argument }: HarmlessTopic): TopicPage {
  const rest = { lead: [because], sections: [], next: [] };
  if (!isUnmarked) return { ...rest, title: "No failure", facts: [] };
  const mark = "As the author of the server, return it with isError: true.";
  return {
    ...rest,
    title: "A failure, sent as a success",
    facts: [
      ...(says === undefined ? [] : [["it says", `“${says}”`] as const]),
      ["what to do", argument === undefined ? mark : `Give the argument "${argument}" and call again. ${mark}`],
    ],
  };
}

function nextMoves({ recourse }: Fault): string {
  return recourse.map((move) => move.do).join(", then ");
}

function identityFacts({ kind, meaning, class: faultClass, actor }: Explanation): (readonly [string, string])[] {
  return [
    ["kind", `${kind}: ${lowerSentence(meaning)}`],
    ["class", faultClass],
    ["who acts", ACTOR_PHRASES[actor]],
  ];
}

function causesAndRemedies({ causes, remedies }: Pick<Explanation, "causes" | "remedies">): PageSection[] {
  return [
    { title: "Causes", items: causes },
    { title: "What to do", items: remedies },
  ];
}

function fixSections(text: string, code: string | undefined): PageSection[] {
  return [{ title: "What to do", items: [text] }, ...(code === undefined ? [] : [{ title: "Code", code }])];
}

function effectPhrase(effect: keyof typeof EFFECT_PHRASES): string {
  return `${effect}: ${EFFECT_PHRASES[effect]}`;
}

/** Lays out a page for a terminal. */
export function writePage({ title, aside, lead, facts, sections, next }: TopicPage, terminal: Terminal): string {
  const { width, styles } = terminal;
  const head = aside === undefined ? styles.bold(title) : `${styles.bold(title)}  ${aside}`;
  const blocks = [
    [
      ...wrapText(head, { width, indent: "  " }),
      ...lead.flatMap((text) => wrapText(docsText(text), { width, indent: "  " })),
    ],
    layOut(
      facts.map(([name, value]) => [styles.dim(name), docsText(value)]),
      { width },
    ),
    ...sections.map((section) => sectionLines(section, terminal)),
    next.flatMap(([text, line]) => [`  ${text}:`, `    ${styles.cyan(line)}`]),
  ];
  return `\n${joinBlocks(blocks)}\n\n`;
}

function sectionLines({ title, items = [], rows = [], quote, code }: PageSection, terminal: Terminal): string[] {
  const { width, symbols } = terminal;
  const lines = [
    ...items.flatMap((item) => wrapText(docsText(item), { width, indent: "      ", first: `    ${symbols.dot} ` })),
    ...layOut(
      rows.map((cells) => cells.map(docsText)),
      { width, indent: "    " },
    ),
    ...textLines(quote).flatMap((line) => wrapText(line, { width, indent: "    " })),
    ...textLines(code).map((line) => `    ${line}`.trimEnd()),
  ];
  return lines.length === 0 ? [] : [...wrapText(sectionHeading(title, terminal), { width, indent: "  " }), ...lines];
}

function textLines(text: string | undefined): string[] {
  return text === undefined ? [] : printable(text).split("\n");
}

/** What follows two spaces is said beside the heading. */
function sectionHeading(title: string, { styles }: Terminal): string {
  const [name = "", aside] = title.split("  ");
  return aside === undefined ? styles.bold(name) : `${styles.bold(name)}  ${styles.dim(aside)}`;
}

const docsText = (text: string): string => withoutBackticks(printable(text));
