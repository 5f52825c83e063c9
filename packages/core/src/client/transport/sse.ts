import { integerAt, isObject, memberAt, objectAt, parseJson, stringAt } from "../../wire/json.ts";
import { SseReader } from "../../wire/sse.ts";

/** What must be known of an event stream to tell whether its answer can still come. */
export interface SseScan {
  feed(bytes: Uint8Array): void;
  /** Whether an event had an id, from which a client can resume. */
  hasId(): boolean;
  isAnswered(): boolean;
}

/** The longest event that is held, in bytes; a longer one is taken for the answer. */
const MAX_EVENT_BYTES = 65_536;
const MAY_ANSWER = /"(?:result|error)"/;

/** Reads an event stream beside its reader. Events are parsed only when the caller asks whether one was the answer. */
export function scanSse(): SseScan {
  // A byte order mark within the stream is part of the text.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let hasId = false;
  let candidate: string | undefined;
  let answered = false;
  const reader = new SseReader({
    maxBytes: MAX_EVENT_BYTES,
    onEvent({ data, type, id }) {
      if (answered) return;
      hasId ||= id !== undefined && id !== "";
      const text = type === "message" ? decoder.decode(data) : "";
      if (!MAY_ANSWER.test(text)) return;
      answered = isExactResponse(candidate);
      candidate = text;
    },
    onTooLong() {
      answered = true;
    },
  });
  return {
    feed(bytes) {
      // A copy: the next reader of the stream may transfer the bytes.
      if (!answered) reader.push(bytes.slice());
    },
    hasId: () => hasId,
    isAnswered() {
      answered ||= isExactResponse(candidate);
      return answered;
    },
  };
}

/** Whether the clients take a text for a response: they drop what is not exactly one. */
function isExactResponse(text: string | undefined): boolean {
  const message = parseJson(text, Number.POSITIVE_INFINITY);
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return false;
  if (stringAt(message, "id") === undefined && integerAt(message, "id") === undefined) return false;
  const error = objectAt(message, "error");
  const isError = integerAt(error, "code") !== undefined && stringAt(error, "message") !== undefined;
  const isResult = isObject(memberAt(message, "result"));
  return isError !== isResult && Object.keys(message).length === 3;
}
