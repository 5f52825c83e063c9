import { KINDS, type Kind, render } from "@recourse/faults";
import { catalogue, explain, KIND_DOCS } from "@recourse/faults/explain";
import { libraryReason } from "@recourse/faults/internal-do-not-use";
import { CHECKS } from "../checks/catalogue.ts";
import { CAUSE_IDS, causeOf } from "../doctor/causes.ts";
import { nameTopic, numberTopic, systemCodeNames } from "./codes.ts";
import { messageTopic, sentenceTopic } from "./message.ts";
import { sayRepeat } from "./phrases.ts";
import type { Topic } from "./topic.ts";

/** What a text asks about. Undefined if nothing is known. Throws a SyntaxError for JSON that is cut or malformed. */
export function findTopic(text: string): Topic | undefined {
  const asked = text.trim();
  for (const find of FINDERS) {
    const found = find(asked);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every name that can be asked about. */
export function topicNames(): string[] {
  return [
    ...Object.keys(catalogue),
    ...Object.keys(KIND_DOCS),
    ...CHECKS.map(({ id }) => id),
    ...CAUSE_IDS,
    ...systemCodeNames(),
  ];
}

/** The most certain first: a name that exists is never read as a sentence. */
const FINDERS: readonly ((text: string) => Topic | undefined)[] = [
  (text) => (/^[{[]/.test(text) ? messageTopic(JSON.parse(text)) : undefined),
  numberTopic,
  reasonTopic,
  kindTopic,
  classTopic,
  checkTopic,
  causeTopic,
  nameTopic,
  (text) => (text.includes(" ") ? sentenceTopic(text) : undefined),
];

function reasonTopic(text: string): Topic | undefined {
  const named = Object.keys(catalogue).filter((id) => id.split("/")[1] === text);
  // A name without its domain is clear if only one domain has it, and no kind is called so.
  const id = Object.hasOwn(catalogue, text) ? text : named.length === 1 && !isKind(text) ? named[0] : undefined;
  const explanation = id === undefined ? undefined : explain(id);
  const fault = libraryReason(id ?? "")?.fault({});
  if (explanation === undefined || fault === undefined) return undefined;
  const { effect } = fault;
  return {
    topic: "reason",
    ...explanation,
    effect,
    repeat: sayRepeat(fault),
    example: render(fault, { for: "model" }),
  };
}

function kindTopic(text: string): Topic | undefined {
  if (!isKind(text)) return undefined;
  const reasons = Object.values(catalogue).filter(({ kind }) => kind === text);
  return {
    topic: "kind",
    kind: text,
    class: KINDS[text].class,
    ...KIND_DOCS[text],
    reasons: reasons.map(({ id }) => id),
  };
}

function classTopic(text: string): Topic | undefined {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].class === text);
  const [first] = kinds;
  return first === undefined ? undefined : { topic: "class", class: KINDS[first].class, kinds };
}

function checkTopic(text: string): Topic | undefined {
  const check = CHECKS.find(({ id }) => id === text);
  if (check === undefined) return undefined;
  const { run, ...rest } = check;
  return { topic: "check", ...rest };
}

function causeTopic(text: string): Topic | undefined {
  const cause = causeOf(text);
  return cause === undefined ? undefined : { topic: "cause", ...cause };
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}
