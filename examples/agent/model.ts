// A model for people who have none at hand: it does what the text of a failure tells it, and tries again when it tells nothing.

/** What the host shows the model after a call. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
}

/** How the host makes a call. */
export type Call = (tool: string) => Promise<Reply>;

/** One failure as the model read it. */
interface Read {
  readonly tool: string;
  readonly text: string;
}

/** What the model makes of the job. */
export interface Work {
  readonly reads: readonly Read[];
  /** What it tells the user at the end, by tool. */
  readonly told: Readonly<Record<string, string>>;
}

/** The job: what to do, and where to look whether it was done. */
const JOB: readonly { readonly tool: string; readonly look?: string }[] = [
  { tool: "get_order" },
  { tool: "charge", look: "get_payment" },
  { tool: "ship" },
  { tool: "notify" },
];

/** How often a model tries the same before it gives up by itself. */
const PATIENCE = 3;

/** The advice that a text gives, by the words that give it. */
const ADVICE = [
  { advice: "look", words: /check the current state/i },
  { advice: "ask", words: /ask the user/i },
  { advice: "stop", words: /do not repeat|instead of calling again/i },
] as const;

/** Works through the job. */
export async function work(call: Call): Promise<Work> {
  const reads: Read[] = [];
  const told: Record<string, string> = {};
  for (const step of JOB) told[step.tool] = await perform(step);
  return { reads, told };

  async function perform({ tool, look }: (typeof JOB)[number]): Promise<string> {
    for (let turn = 1; turn <= PATIENCE; turn++) {
      const reply = await call(tool);
      if (reply.ok) return "done";
      reads.push({ tool, text: reply.text });
      const advice = ADVICE.find(({ words }) => words.test(reply.text))?.advice;
      if (advice === "ask") return "the user has to act";
      if (advice === "look" && look !== undefined && (await call(look)).ok) return "done";
      if (advice === "stop") return "stopped";
    }
    return "gave up";
  }
}
