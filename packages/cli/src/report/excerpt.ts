import { arrayAt, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer, Arrived, Exchange, HttpPart } from "../recording/recording.ts";
import type { StimulusName } from "../recording/stimuli.ts";

/** Stimuli in which the headers are the point. Elsewhere they only hide the message. */
const ABOUT_HEADERS: ReadonlySet<StimulusName> = new Set(["http-edge", "credentials", "unknown-version"]);

/** What was sent, as one text: the HTTP part where it matters, then the message. */
export function sentText({ sent, stimulus, variant }: Exchange): string {
  const { http, text, bytes } = sent;
  const aboutMcp = stimulus === "unknown-version" || variant === "unknown-session";
  const headers = Object.entries(http?.headers ?? {}).filter(
    ([name]) => ABOUT_HEADERS.has(stimulus) && (aboutMcp || !name.startsWith("mcp-")),
  );
  const method = http === undefined || http.method === "POST" ? [] : [http.method];
  const size = bytes > text.length * 2 ? [`${thousands(bytes)} bytes:`] : [];
  const parts = [
    ...method,
    ...headers.map(([name, value]) => (value === "" ? `(no ${name})` : `${name}: ${value}`)),
    ...size,
    shortRuns(text),
  ];
  return parts.filter((part) => part !== "").join("  ") || "(nothing)";
}

/** The same character over and over says nothing new. */
function shortRuns(text: string): string {
  return text.replaceAll(/([\s\S])\1{39,}/g, (run) => `${run.slice(0, 12)}…`);
}

/** What came back, in a few words: status, kind of failure, and its text. */
export function gotText({ answer }: Exchange): string {
  switch (answer.kind) {
    case "message":
      return joined([statusOf(answer.http), messageText(answer.message)]);
    case "body":
      return joined([statusOf(answer.http), typeOf(answer.http), bodyText(answer) || "(empty body)"]);
    case "silent":
      return `nothing for ${(answer.ms / 1000).toFixed(1)} s`;
    case "closed":
      return closedText(answer);
    case "inconclusive":
      return `unclear: ${answer.because}`;
    default:
      return answer satisfies never;
  }
}

/** What came back, as it arrived. */
export function rawAnswer({ answer }: Exchange): string | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.text : undefined;
}

/** A server that leaks its password leaks it again with every report that quotes it, so reports do not. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/(:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/g, "$1…@");
}

function joined(parts: readonly (string | undefined)[]): string {
  return withoutPasswords(parts.filter((part) => part !== undefined && part !== "").join("  "));
}

function statusOf(http: HttpPart | undefined): string | undefined {
  return http === undefined || http.status === 200 ? undefined : String(http.status);
}

function typeOf(http: HttpPart | undefined): string | undefined {
  return http?.headers["content-type"]?.split(";")[0]?.trim();
}

function messageText(message: JsonObject): string {
  const error = objectAt(message, "error");
  if (error !== undefined)
    return `error ${String(memberAt(error, "code"))}  ${stringAt(error, "message") ?? ""}`.trimEnd();
  const result = objectAt(message, "result");
  const texts = arrayAt(result, "content").flatMap((part) => stringAt(part, "text") ?? []);
  const failed = memberAt(result, "isError") === true;
  return `${failed ? "isError" : "result"}  ${texts.length > 0 ? texts.join(" ") : (JSON.stringify(result) ?? "")}`;
}

/** The readable part of a body. A page is shown without its tags. */
function bodyText({ text, http }: Arrived): string {
  const isPage = typeOf(http) === "text/html" || /^\s*<(?:!doctype|html)/i.test(text);
  if (!isPage) return text.trim();
  return text
    .replaceAll(/<(style|script|title)\b[\s\S]*?(?:<\/\1>|$)/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(lt|gt|quot|amp|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'", nbsp: " " };

function closedText({ exitCode, signal, stderr }: Extract<Answer, { kind: "closed" }>): string {
  const how =
    typeof exitCode === "number"
      ? `the process ended with exit code ${exitCode}`
      : !signal
        ? "the connection was closed without an answer"
        : `the process was ended by ${signal}`;
  const said = stderr?.trim();
  return said === undefined || said === "" ? how : `${how}; stderr: ${withoutPasswords(said)}`;
}

function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
