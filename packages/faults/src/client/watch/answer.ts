/** What the head of an answer means to the SDK's clients. */
export type AnswerForm =
  /** A JSON message. */
  | "json"
  /** An event stream. */
  | "stream"
  /** 202: nothing will follow. */
  | "accepted"
  /** A redirect, which the client follows with an exchange of its own. */
  | "redirect"
  /** A failure, or a success of a type that the clients cannot read. */
  | "refusal";

const READABLE: Readonly<Record<string, AnswerForm>> = {
  "application/json": "json",
  "text/event-stream": "stream",
} satisfies Record<string, AnswerForm>;

/** Tells the form of an answer by its head alone. */
export function formOf({ ok, status, headers }: Response): AnswerForm {
  if (status === 202) return "accepted";
  if (status >= 300 && status < 400) return "redirect";
  if (!ok) return "refusal";
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (Object.hasOwn(READABLE, type) ? READABLE[type] : undefined) ?? "refusal";
}
