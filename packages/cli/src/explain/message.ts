import { core, FOREIGN_TEXT, render, tool } from "@recourse/faults";
import { detect } from "@recourse/faults/dialects";
import { explain } from "@recourse/faults/explain";
import { failureSign, isObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { numberTopic } from "./codes.ts";
import { leakIn } from "./leaks.ts";
import { sayRepeat } from "./phrases.ts";
import type { Topic } from "./topic.ts";

/** Explains a message of any dialect: an answer, its result or error, an HTTP answer, or the error of an SDK. */
export function messageTopic(message: unknown): Topic {
  // Terminals keep what they show, so a text that gives something away is left out, as a guarded server does.
  const found = detect(message, { textPolicy: FOREIGN_TEXT });
  if (found === undefined) return { topic: "message", failure: false, because: whyNoFailure(message) };
  const { fault, dialect } = found;
  const explanation = explain(fault);
  const code = codeOf(message);
  const leak = leakIn(detect(message)?.fault.quote?.text ?? "");
  return {
    topic: "message",
    failure: true,
    dialect,
    fault,
    modelReads: render(fault, { for: "model" }),
    repeat: sayRepeat(fault),
    ...(explanation === undefined ? {} : { explanation }),
    ...(code === undefined ? {} : { code }),
    ...(leak === undefined ? {} : { leak }),
  };
}

/** Explains a sentence of a log or of a stack trace. Undefined if no dialect knows it. */
export function sentenceTopic(text: string): Topic | undefined {
  const [, code, message = ""] = /^(?:McpError: )?MCP error (-?\d{1,6}): (.*)$/s.exec(text) ?? [];
  const readings = [
    ...(code === undefined ? [] : [{ name: "McpError", code: Number(code), message }, toolFailure(message)]),
    toolFailure(text),
  ];
  const known = readings.find((one) => !isVague(detect(one)?.fault.reason));
  return known === undefined ? undefined : messageTopic(known);
}

/** The sentence as if a tool had answered it. */
function toolFailure(text: string) {
  return { isError: true, content: [{ type: "text", text }] };
}

/** Reasons that say no more than that something failed. */
function isVague(reason: string | undefined): boolean {
  return reason === undefined || reason === core.unrecognised.id || reason === tool.failed.id;
}

function whyNoFailure(message: unknown): string {
  if (!isObject(message)) return "This is JSON, but no message of MCP.";
  const method = stringAt(message, "method");
  if (method !== undefined && "id" in message) return `This is a request (${method.slice(0, 60)}), not an answer.`;
  if (method !== undefined) return `This is a notification (${method.slice(0, 60)}), not an answer.`;
  const result = objectAt(message, "result") ?? message;
  if (failureSign(result) !== undefined)
    return "This answer says success, but its content says failure: clients, retries and dashboards count it as a success.";
  return "result" in message || "content" in message
    ? "This answer is a success."
    : "No dialect recognises a failure in this message.";
}

function codeOf(message: unknown) {
  const parts = isObject(message) ? message : {};
  const code = memberAt(objectAt(parts, "error") ?? objectAt(objectAt(parts, "result"), "error") ?? parts, "code");
  return typeof code === "number" && Number.isSafeInteger(code) ? numberTopic(String(code)) : undefined;
}
