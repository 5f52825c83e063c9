// Whether a server shows a secret that it was given. It has to be noted before secrets are taken out of a recording: a
// judge sees only what is left.
import { MIN_SECRET_LENGTH } from "@recourse/core";
import { SECRET_NAME } from "../program/secrets.ts";
import {
  type EraRecord,
  PROGRAM_STREAMS,
  type RecordedAnswer,
  type RecordedExchange,
  type Recording,
} from "../recording/recording.ts";
import { carriesCredentials, repeatedSecretForms } from "./target.ts";

/** Shorter secrets, and secrets that are a word, stand in texts by accident. */
const MIN_TELLING_LENGTH = Math.max(8, MIN_SECRET_LENGTH);
const MIN_WORD_LENGTH = 16;

/** The values that were given to a server, by name. */
interface GivenValues {
  readonly headers: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The forms of those values that are secrets for sure. Addresses, folders and words are hidden too, but prove nothing. */
export function tellingSecretForms(secrets: readonly string[], { headers, env = {} }: GivenValues): readonly string[] {
  const named = [
    ...Object.entries(headers).filter(([name]) => carriesCredentials(name)),
    ...Object.entries(env).filter(([name]) => SECRET_NAME.test(name)),
  ].map(([, value]) => value);
  const passwords = Object.values(env).flatMap((value) => URL.parse(value)?.password ?? []);
  const values = [...secrets, ...named, ...passwords].filter(
    (value) => !/^(?:[./~]|[a-z][a-z0-9+.-]{0,20}:\/\/)/i.test(value),
  );
  return repeatedSecretForms(values).filter(
    (form) => form.length >= (/^[a-z]+$/i.test(form) ? MIN_WORD_LENGTH : MIN_TELLING_LENGTH),
  );
}

/** Notes which answers, and which output of the program, hold one of these forms. */
export function markShownSecrets(recording: Recording, forms: readonly string[]): Recording {
  if (forms.length === 0) return recording;
  const shows = (text: string): boolean => forms.some((form) => text.includes(form));
  const markExchange = (exchange: RecordedExchange): RecordedExchange => {
    const { sent, answer } = exchange;
    // A value that the request itself carries may come back: that is no secret of the server.
    const isOwn = shows(sent.text) || shows(JSON.stringify(sent.message ?? ""));
    return !isOwn && shows(readableAnswer(answer)) ? { ...exchange, secretShown: true } : exchange;
  };
  const markEra = (era: EraRecord): EraRecord => {
    const output = { stdout: era.strayLines.join("\n"), stderr: era.stderr };
    const secretIn = PROGRAM_STREAMS.filter((stream) => shows(output[stream]));
    return { ...era, exchanges: era.exchanges.map(markExchange), ...(secretIn.length > 0 && { secretIn }) };
  };
  return { ...recording, eras: recording.eras.map(markEra) };
}

/** What the caller reads of an answer. Headers are left out: a challenge names its scheme, and sessions come back. */
function readableAnswer(answer: RecordedAnswer): string {
  switch (answer.kind) {
    case "message":
      return `${answer.text}\n${JSON.stringify(answer.message)}`;
    case "body":
      return answer.text;
    case "silent":
      return JSON.stringify(answer.strays);
    case "closed":
    case "inconclusive":
      return "";
    default:
      return answer satisfies never;
  }
}
