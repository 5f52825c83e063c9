import { API_KEY, PASSWORD, REGISTERED_SECRET, TOKEN } from "../secrets.ts";

/** An answer of the service: JSON, or a text of something between the server and the service. */
export interface Answer {
  readonly status: number | "drop";
  readonly body: unknown;
}

const refused = (status: number, type: string, message: string): Answer => ({
  status,
  body: { error: { type, message } },
});

const MODEL_NOT_FOUND =
  "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required " +
  "permissions, and that the model names and/or ids are correct.";
const BAD_GATEWAY =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n" +
  "<hr><center>nginx</center>\r\n</body>\r\n</html>";

/** How the service fails, by the name of the table that is asked for. */
export const FAILING_TABLES: Readonly<Record<string, Answer>> = {
  Signed: refused(401, "AUTHENTICATION_REQUIRED", "Authentication required"),
  Locked: refused(403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND", MODEL_NOT_FOUND),
  Missing: { status: 404, body: { error: "NOT_FOUND" } },
  Gone: refused(404, "ROW_DOES_NOT_EXIST", "Record ID recN0tHere1234567 does not exist"),
  Columns: refused(422, "UNKNOWN_FIELD_NAME", 'Unknown field name: "Pirce"'),
  Formulas: refused(
    422,
    "INVALID_FILTER_BY_FORMULA",
    "The formula for filtering records is invalid: Unknown field names: pirce",
  ),
  Values: refused(422, "INVALID_VALUE_FOR_COLUMN", 'Field "Price" cannot accept the provided value'),
  Views: refused(422, "VIEW_NAME_NOT_FOUND", "View viwOld not found"),
  Large: refused(413, "REQUEST_TOO_LARGE", "Request body is too large"),
  Busy: {
    status: 429,
    body: { errors: [{ error: "RATE_LIMIT_REACHED", message: "Rate limit exceeded. Please try again later" }] },
  },
  Broken: refused(500, "SERVER_ERROR", "An unexpected error occurred"),
  Gateway: { status: 502, body: BAD_GATEWAY },
  Closed: refused(503, "SERVICE_UNAVAILABLE", "The server could not process your request in time"),
  Page: { status: 200, body: "<!DOCTYPE html><title>Sign in</title>" },
  Shape: { status: 200, body: { records: "none" } },
  Dropped: { status: "drop", body: undefined },
  Headers: { status: 502, body: `upstream rejected the request: authorization: Bearer ${API_KEY}` },
  Database: refused(500, "SERVER_ERROR", `could not connect to postgres://svc:${PASSWORD}@db.internal/tables`),
  Fields: refused(422, "INVALID_VALUE_FOR_COLUMN", `Field "Key" cannot accept ${TOKEN}`),
  Choices: refused(422, "INVALID_MULTIPLE_CHOICE_OPTIONS", `Choices: red, ${REGISTERED_SECRET}`),
  Settings: { status: 200, body: `pw: ${PASSWORD}` },
};
