import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchema } from "../../packages/gateway/src/admin/app.ts";
import { type AdminRoute, BASE_PATH } from "../../packages/gateway/src/admin/route.ts";
import { code, GENERATED, page, table } from "./markdown.ts";

/** The hand-written beginning of the page. */
const PART = join(import.meta.dirname, "gateway-parts/admin.md");

/** Every route of the API for operators, from the table that the gateway serves. */
export function gatewayAdminPage(routes: readonly AdminRoute[]): string {
  const rows = routes.map((route) => [
    `${code(`${route.method} ${route.path}`)}`,
    route.role === undefined ? "none" : code(route.role),
    route.summary,
  ]);
  return page([
    GENERATED,
    readFileSync(PART, "utf8").trim(),
    "## Routes",
    `Paths begin with ${code(BASE_PATH)}. Each role includes the roles before it: viewer, approver, admin.`,
    table(["Route", "Role", "What it does"], rows),
    ...routes.flatMap(section),
  ]);
}

type Schema = Readonly<Record<string, unknown>>;
type ZodSchema = Parameters<typeof jsonSchema>[0];

function section({ method, path, description, params, query, body, answer }: AdminRoute): (string | undefined)[] {
  const inputs = [
    ...members(params).map(([name, schema]) => inputRow(name, "path", schema)),
    ...members(query).map(([name, schema]) => inputRow(name, "query", schema)),
    ...members(body).map(([name, schema]) => inputRow(name, "body", schema)),
  ];
  return [
    `### ${code(`${method} ${path}`)}`,
    description,
    inputs.length === 0 ? undefined : table(["Parameter", "In", "Default", "Meaning"], inputs),
    answerText(answer),
  ];
}

function inputRow(name: string, place: string, schema: Schema): readonly string[] {
  const { description = "", default: byDefault, enum: values, maximum } = schema;
  const choices = Array.isArray(values) ? ` One of ${values.map((one) => code(String(one))).join(", ")}.` : "";
  const most = maximum === undefined ? "" : ` At most ${maximum}.`;
  return [
    code(name),
    place,
    byDefault === undefined ? "" : code(JSON.stringify(byDefault)),
    `${description}${choices}${most}`,
  ];
}

/** The members of an answer by name; the document has their types. */
function answerText(answer: ZodSchema): string {
  const items = members(answer).find(([name]) => name === "items")?.[1]["items"] as Schema | undefined;
  const names = (items === undefined ? members(answer) : Object.entries(items["properties"] ?? {})).map(([name]) =>
    code(name),
  );
  if (names.length === 0) return "Answers with a JSON object.";
  if (items === undefined) return `Answers with ${names.join(", ")}.`;
  const others = members(answer).flatMap(([name]) => (name === "items" ? [] : [code(name)]));
  const list = [code("items"), ...others].join(", ").replace(/, ([^,]*)$/, " and $1");
  return `Answers with ${list}. Each item has ${names.join(", ")}.`;
}

function members(schema: ZodSchema | undefined): [string, Schema][] {
  if (schema === undefined) return [];
  return Object.entries((jsonSchema(schema)["properties"] ?? {}) as Record<string, Schema>);
}
