import type { Effect, Fault, FaultClass, Kind } from "@recourse/faults";
import type { CodeMeaning, Explanation, KindDoc } from "@recourse/faults/explain";
import type { Check } from "../checks/check.ts";
import type { Cause } from "../doctor/cause.ts";

/** What an explanation is about. This is what `--json` prints. */
export type Topic =
  | CodeTopic
  | ({
      readonly topic: "reason";
      readonly example: string;
      readonly repeat: string;
      readonly effect: Effect;
    } & Explanation)
  | ({
      readonly topic: "kind";
      readonly kind: Kind;
      readonly class: FaultClass;
      readonly reasons: readonly string[];
    } & KindDoc)
  | { readonly topic: "class"; readonly class: FaultClass; readonly kinds: readonly Kind[] }
  | ({ readonly topic: "check" } & Omit<Check, "run">)
  | ({ readonly topic: "cause"; readonly id: string } & Cause)
  | MessageTopic
  /** A message that is no failure. */
  | { readonly topic: "message"; readonly failure: false; readonly because: string };

/** A number or a name. */
export interface CodeTopic {
  readonly topic: "code";
  readonly code: string;
  /** What the number says by itself, in one sentence. */
  readonly rule?: string;
  /** By who sends it. */
  readonly meanings: readonly CodeMeaning[];
}

/** A failure that was pasted. */
export interface MessageTopic {
  readonly topic: "message";
  readonly failure: true;
  /** The dialect that it was written in. */
  readonly dialect: string;
  readonly fault: Fault;
  /** What a model reads about it behind Recourse. */
  readonly modelReads: string;
  /** Whether the same call may be made again. */
  readonly repeat: string;
  readonly explanation?: Explanation;
  /** What else the code of the message can mean. */
  readonly code?: CodeTopic;
  /** What its text gives away. Such a text is not shown. */
  readonly leak?: string;
}
