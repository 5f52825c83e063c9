import { integerAt, isObject, memberAt, objectAt, parseJson, stringAt } from "../../json/read.ts";

/** What must be known of an event stream to tell whether its answer can still come. */
export interface SseScan {
  feed(bytes: Uint8Array): void;
  /** The id of the last event that had one: the point that a client resumes from. */
  lastId(): string | undefined;
  /** Whether the stream has brought a response. */
  isAnswered(): boolean;
}

/** The longest event that is held; a longer one is taken for the answer. */
const MAX_LENGTH = 65_536;
const MAY_ANSWER = /"(?:result|error)"/;

/** Reads an event stream beside its reader. Events are parsed only when somebody asks whether one was the answer. */
export function scanSse(): SseScan {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string | undefined;
  let id: string | undefined;
  let type = "";
  let lastId: string | undefined;
  let candidate: string | undefined;
  let answered = false;

  function dispatch(): void {
    // An event without data is none, and takes its id with it: so do the parsers of the clients.
    if (data !== undefined) {
      lastId = id || lastId;
      if ((type === "" || type === "message") && MAY_ANSWER.test(data)) {
        answered ||= isResponse(candidate);
        candidate = data;
      }
    }
    data = undefined;
    id = undefined;
    type = "";
  }

  function take(line: string): void {
    if (line === "") {
      dispatch();
      return;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (field === "event") type = value;
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  return {
    feed(bytes) {
      if (answered) return;
      const text = rest + decoder.decode(bytes, { stream: true });
      // A return at the end may be one half of a line break.
      const end = text.endsWith("\r") ? text.length - 1 : text.length;
      const lines = text.slice(0, end).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + text.slice(end);
      for (const line of lines) if (!answered) take(line);
      if (rest.length + (data?.length ?? 0) > MAX_LENGTH) answered = true;
    },
    lastId: () => lastId,
    isAnswered() {
      answered ||= isResponse(candidate);
      return answered;
    },
  };
}

/** Whether the clients take a text for a response: they drop what is not exactly one. */
function isResponse(text: string | undefined): boolean {
  const message = parseJson(text, Number.POSITIVE_INFINITY);
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return false;
  if (stringAt(message, "id") === undefined && integerAt(message, "id") === undefined) return false;
  const error = objectAt(message, "error");
  const isError = integerAt(error, "code") !== undefined && stringAt(error, "message") !== undefined;
  const isResult = isObject(memberAt(message, "result"));
  return isError !== isResult && Object.keys(message).length === 3;
}
