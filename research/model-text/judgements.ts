// What a person found when reading the texts. Criteria that are not named here are met.
import type { Criterion } from "./rubric.ts";

/** Why a text does not meet a criterion. */
export type Remarks = Readonly<Partial<Record<Criterion, string>>>;

const NO_PLACE = "This format has room for one sentence, which its readers show unchanged.";
const AUTHOR = "The author did not name the subject.";
const GENERIC = "The library's reason has no slot for a name; an author's own reason says more.";
const HIDDEN = "The filter removed the server's text.";

/** Texts that a program may or may not object to: the remark says why they are so. */
export const REMARKS: Readonly<Record<string, Remarks>> = {
  "arguments/unknown-key": {
    subject: "The wrong name is not repeated, because it can be any text; the closest correct name is shown.",
  },
  "missing/nothing-named": { subject: AUTHOR },
  "conflicts/precondition": { subject: AUTHOR },
  "conflicts/stale": { subject: GENERIC },
  "conflicts/locked": { subject: GENERIC },
  "client/deadline-zero": { true: "The call was never made; the sentence says only that no answer came." },
  "client/503": { true: "The server answered 503, so it was reached; the text omits the wait that the server named." },
  "foreign/sdk-sql": {
    subject: HIDDEN,
    true: "A database table is missing on the server; another name or id won't help.",
  },
  "foreign/fs-missing-file": { subject: HIDDEN },
  "foreign/fs-exists": { subject: HIDDEN },
  "foreign/fastmcp-error": { subject: HIDDEN },
  "foreign/fastmcp-arguments": {
    subject: HIDDEN,
    true: "The arguments were wrong, but the text says that the tool failed and may have had an effect.",
  },
  "foreign/text-json": { subject: HIDDEN },
  "foreign/text-limit": {
    move: "Only the quotation contains the wait: a guess from a text is not a reason to repeat a call.",
  },
  "rest/404": { subject: GENERIC },
  "rest/404-bare": { subject: GENERIC },
  "rest/409": { subject: GENERIC },
  "rest/412": { subject: GENERIC },
  "rest/422": { subject: "The text names the arguments, but not their rules: the service's text is hidden." },
  "rest/422-detail": { subject: GENERIC },
  "dialects/qaqnuz": { move: NO_PLACE },
  "dialects/http": { move: NO_PLACE },
  "reference/orders-missing": { subject: "The reason of the reference server has no slot for the order." },
};

/** Texts whose form another program or the document of a system prescribes. They are shown, and not judged. */
export const PRESCRIBED: Readonly<Record<string, string>> = {
  "foreign/sdk-arguments-raw": "the official SDK",
  "foreign/sdk-throw-raw": "the official SDK",
  "dialects/erlmcp": "erlmcp's fixed message",
  "dialects/platica": "Platica's lines",
  "reference/crm-dates": "the body of the REST answer",
  "reference/crm-workspace": "the body of the REST answer",
  "reference/crm-key": "the body of the REST answer",
  "reference/crm-reader": "the body of the REST answer",
  "reference/crm-missing": "the body of the REST answer",
  "reference/crm-launched": "the body of the REST answer",
  "reference/crm-limit": "the body of the REST answer",
  "reference/crm-arguments": "Platica's lines",
};
