// Arguments that are refused: by the schema of the tool, and by what only the backend knows.
import { type Failure, place } from "./failure.ts";

const schema = { retryable: false, reason: "tool/invalid_arguments" } as const;
const refused = { retryable: false, service: { status: 422, code: "INVALID" } } as const;

export const VALIDATION: readonly Failure[] = [
  {
    ...schema,
    code: 2001,
    name: "VALIDATION_ERROR",
    cause: "a quantity of 0",
    ...place({ items: [{ sku: "LAMP-1", quantity: 0 }] }),
    details: { field: "items.0.quantity", reason: "range" },
    service: { status: 422, code: "INVALID" },
  },
  {
    ...refused,
    code: 2001,
    name: "VALIDATION_ERROR",
    cause: "an article that is not in the catalogue",
    ...place({ items: [{ sku: "SOFA-9", quantity: 1 }] }),
    details: { field: "items.0.sku", reason: "choice" },
    reason: "core/validation_failed",
  },
  {
    ...schema,
    code: 2002,
    name: "MISSING_REQUIRED_FIELD",
    cause: "no e-mail address",
    ...place({ customer: {} }),
    details: { field: "customer.email", reason: "required" },
    service: { status: 422, code: "INVALID" },
  },
  {
    ...refused,
    code: 2002,
    name: "MISSING_REQUIRED_FIELD",
    cause: "no postcode, for a country that has them",
    ...place({ deliver_to: { country: "CH" } }),
    details: { field: "deliver_to.postcode", reason: "required" },
    reason: "core/missing_field",
  },
  {
    ...schema,
    code: 2003,
    name: "INVALID_FORMAT",
    cause: "a number of an order without its letters",
    tool: "get_order",
    args: { order_id: "1001" },
    details: { field: "order_id", reason: "format" },
    service: { status: 422, code: "INVALID" },
  },
  {
    ...refused,
    code: 2003,
    name: "INVALID_FORMAT",
    cause: "a postcode that the country does not have",
    ...place({ deliver_to: { country: "DE", postcode: "8001" } }),
    details: { field: "deliver_to.postcode", reason: "format" },
    reason: "core/invalid_format",
  },
];
