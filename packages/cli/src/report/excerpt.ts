import { arrayAt, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import {
  type AnswerContent,
  HIDDEN_IN_RECORDING,
  type HttpPart,
  type RecordedAnswer,
  type RecordedExchange,
  type RecordedTarget,
  type StimulusName,
} from "../recording/recording.ts";
import { quoteForShell } from "../terminal/shell.ts";

/** Stimuli in which the headers are the point. Elsewhere they only hide the message. */
const ABOUT_HEADERS: ReadonlySet<StimulusName> = new Set(["http-edge", "credentials", "unknown-version"]);

/** What was sent, as one text: the HTTP part if it matters, then the message. */
export function sentText({ sent, stimulus, variant }: RecordedExchange): string {
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
export function gotText({ answer }: RecordedExchange): string {
  switch (answer.kind) {
    case "message":
      return joinExcerpt([statusText(answer.http), messageText(answer.message)]);
    case "body":
      return joinExcerpt([
        statusText(answer.http),
        answerContentType(answer.http),
        readableBody(answer) || "(empty body)",
      ]);
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
export function rawAnswer({ answer }: RecordedExchange): string | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.text : undefined;
}

/** A server that leaks its password leaks it again with every report that quotes it, so reports do not. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/(:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/g, "$1…@");
}

function joinExcerpt(parts: readonly (string | undefined)[]): string {
  return withoutPasswords(parts.filter((part) => part !== undefined && part !== "").join("  "));
}

function statusText(http: HttpPart | undefined): string | undefined {
  return http === undefined || http.status === 200 ? undefined : String(http.status);
}

function answerContentType(http: HttpPart | undefined): string | undefined {
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
function readableBody({ text, http }: AnswerContent): string {
  const isPage = answerContentType(http) === "text/html" || /^\s*<(?:!doctype|html)/i.test(text);
  if (!isPage) return text.trim();
  return text
    .replaceAll(/<(style|script|title)\b[\s\S]*?(?:<\/\1>|$)/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(lt|gt|quot|amp|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'", nbsp: " " };

function closedText({ exitCode, signal, stderr }: Extract<RecordedAnswer, { kind: "closed" }>): string {
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

const CURL_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" } as const;

/**
 * How to send an exchange again by hand: a line for curl, or the line for the stdin of the program. Undefined if the text
 * was too long to be kept. Secrets are names of variables of a shell, such as `$AUTHORIZATION`.
 */
export function asCommandLine({ sent }: RecordedExchange, target: RecordedTarget): string | undefined {
  const body = sent.message === undefined ? sent.text : JSON.stringify(sent.message);
  // A text that was cut or was not UTF-8 cannot be copied.
  if (Buffer.byteLength(body) !== sent.bytes) return undefined;
  if (target.transport === "stdio") return body;
  const { method = "POST", headers = {} } = sent.http ?? {};
  const all: Readonly<Record<string, string>> = { ...CURL_HEADERS, ...headers };
  return [
    "curl -isS",
    ...(method === "POST" ? [] : [`-X ${quoteForShell(method)}`]),
    ...Object.entries(all).map(([name, value]) => `-H ${curlHeader(name, value)}`),
    ...(method === "GET" || method === "DELETE" ? [] : [`--data-binary ${quoteForShell(body)}`]),
    quoteForShell(target.url ?? ""),
  ].join(" ");
}

/** A header for curl: an empty value takes it out, a hidden one is a variable. */
function curlHeader(name: string, value: string): string {
  if (value === "") return quoteForShell(`${name}:`);
  if (!value.includes(HIDDEN_IN_RECORDING)) return quoteForShell(`${name}: ${value}`);
  const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return `${quoteForShell(`${name}: `)}"$${variable}"`;
}
