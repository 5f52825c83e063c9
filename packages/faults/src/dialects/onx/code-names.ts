/** The name and the category of a code. */
interface OnxCodeName {
  readonly name: string;
  readonly category: "Protocol" | "Validation" | "Business" | "System" | "Adapter";
}

/** The names of the codes, for people. Programs that only read or write a fault do not load them. */
export const ONX_CODE_NAMES: Readonly<Record<number, OnxCodeName>> = {
  2001: { name: "VALIDATION_ERROR", category: "Validation" },
  2002: { name: "MISSING_REQUIRED_FIELD", category: "Validation" },
  2003: { name: "INVALID_FORMAT", category: "Validation" },
  3001: { name: "RATE_LIMIT_EXCEEDED", category: "System" },
  3002: { name: "TIMEOUT", category: "System" },
  4001: { name: "ADAPTER_ERROR", category: "Adapter" },
  4002: { name: "BACKEND_UNAVAILABLE", category: "System" },
  5001: { name: "NOT_IMPLEMENTED", category: "Adapter" },
  1001: { name: "UNAUTHORIZED", category: "Protocol" },
  3003: { name: "FORBIDDEN", category: "Business" },
  3004: { name: "NOT_FOUND", category: "Business" },
  3005: { name: "CONFLICT", category: "Business" },
  3006: { name: "PRECONDITION_FAILED", category: "Business" },
  3007: { name: "QUOTA_EXHAUSTED", category: "Business" },
  4000: { name: "INTERNAL_ERROR", category: "System" },
  4003: { name: "CANCELLED", category: "System" },
};

/** The category of each range, by its first code. */
export const ONX_RANGE_CATEGORIES: Readonly<Record<number, string>> = {
  1000: "Protocol",
  2000: "Validation",
  3000: "Business",
  4000: "System",
  5000: "Adapter/Integration",
};
