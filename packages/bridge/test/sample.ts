// A value for a JSON Schema, always the same one: the first choice everywhere, with all members.
type Schema = Readonly<Record<string, unknown>>;

const FORMATS: Readonly<Record<string, string>> = {
  email: "ada@example.com",
  uuid: "6f1c2f6e-5a0a-4a7e-9d5e-2f1a3b4c5d6e",
  date: "2026-03-01",
  "date-time": "2026-03-01T12:00:00Z",
  byte: "aGk=",
};

const PATTERNS: Readonly<Record<string, string>> = {
  "^[0-9a-f]+$": "0123456789abcdef0123456789abcdef01234567",
  "^[A-Z]{3}$": "EUR",
  "^[a-z]{3}$": "eur",
  "^[CDGU][A-Z0-9]+$": "C0123",
  "^\\d{10}\\.\\d{6}$": "1234567890.123456",
};

const SCALARS: Readonly<Record<string, unknown>> = { integer: 3, number: 2.5, boolean: true, null: null };

/** Members of a file, whose schema does not describe their format. */
const FILE: Readonly<Record<string, string>> = { mimeType: "text/plain", dataBase64: "aGk=" };

/** A value that satisfies a schema of the test documents. */
export function sample(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return "any";
  const node = schema as Schema;
  if ("const" in node) return node["const"];
  if (Array.isArray(node["enum"])) return node["enum"][0];
  const [branch] = (node["anyOf"] ?? node["oneOf"] ?? node["allOf"] ?? []) as readonly Schema[];
  const type = [node["type"] ?? []].flat().find((one) => one !== "null");
  if (type === undefined && branch !== undefined) return sample(branch);
  if (type === "array") return items(node);
  if (type === "object" || "properties" in node) return { ...members(node), ...(branch && (sample(branch) as object)) };
  return type === "string" || type === undefined ? text(node) : SCALARS[String(type)];
}

function items(node: Schema): unknown[] {
  const fixed = (node["prefixItems"] ?? []) as readonly unknown[];
  const count = node["uniqueItems"] === true ? 1 : Math.max(2, Number(node["minItems"] ?? 0));
  const most = Math.min(count, Number(node["maxItems"] ?? count));
  return Array.from({ length: fixed.length > 0 ? fixed.length : most }, (_, index) =>
    sample(fixed[index] ?? node["items"]),
  );
}

function members(node: Schema): Record<string, unknown> {
  const properties = Object.entries((node["properties"] ?? {}) as Schema);
  const free = typeof node["additionalProperties"] === "object" ? node["additionalProperties"] : { type: "string" };
  if (properties.length === 0 && node["additionalProperties"] !== false) return { free: sample(free) };
  return Object.fromEntries(properties.map(([key, one]) => [key, FILE[key] ?? sample(one)]));
}

function text(node: Schema): string {
  const known = PATTERNS[String(node["pattern"])] ?? FORMATS[String(node["format"])];
  if (known !== undefined) return known;
  if (node["contentEncoding"] === "base64") return "aGk=";
  return "a+b&c=d".padEnd(Number(node["minLength"] ?? 0), "x");
}
