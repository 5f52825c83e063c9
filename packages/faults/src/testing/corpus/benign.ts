import { benignServers } from "./benign-servers.ts";

/** A text that is meant for the caller. It must arrive unchanged. */
export interface Benign {
  /** The group and a number, such as `dates/3`. */
  readonly id: string;
  /** The text. */
  readonly text: string;
  /** The public MCP server that says it; undefined for texts of our own. */
  readonly source?: string;
}

/** Sentences of a careful server, by the feature that a detector may take for a leak. */
const OWN_TEXTS = {
  numbers: [
    "No product found for GTIN 00614141123452",
    "GTIN 4006381333932 has an invalid check digit; expected 1, got 2",
    "SSCC 106141412345678908 is not a GTIN",
    "ISBN 9780306406157 is a Bookland number",
    "Tracking number 1Z999AA10123456784 was not found",
    "Upload exceeds the 16777216 byte limit",
    "price 1299.00 EUR, quantity 12",
    "latitude must be between -90 and 90, longitude between -180 and 180",
    "limit must be at most 1000; you asked for 250000",
    "Order 100045 is already shipped",
    "The invoice number has the form INV-2026-000123",
    "1,234,567 rows match; narrow the search to fewer than 10,000",
  ],
  dates: [
    "Use ISO 8601, e.g. 2026-01-31",
    "Next window opens 2026-04-26T02:34:56+00:00",
    "start_date 2026-03-01 is after end_date 2026-02-01",
    "Rate limit exceeded. Retry after 30 seconds.",
    "The report covers 2025-Q4; the newest one is 2026-Q1",
    "retry_after_ms=1000 max_attempts=3 backoff=exponential",
    "cron expression `0 9 * * MON-FRI` runs more often than every 15 minutes",
  ],
  versions: [
    "API version 2026-07 is not supported; use 2025.11.25",
    "protocolVersion 2025-11-25 is not supported, supported: 2025-06-18, 2024-11-05",
    "Package react@19.1.0 has no release 19.9.9",
    "Node.js 22.12.0 or newer is required",
    "v2.3.1 of the schema renamed `zip` to `postalCode`",
  ],
  urls: [
    "See https://docs.example.com/errors/not_found for the list of codes.",
    "https://id.gs1.org/01/09506000134352/10/ABC123/21/12345?17=261231 is not a link of this catalogue",
    "url must start with https:// and must not have a fragment",
    "Only pages under https://docs.example.com/guide/ can be fetched",
    "Use the web form at https://status.example.com to report an outage.",
  ],
  pointers: [
    "/items/0/customer/email: must be a string",
    "order.customer.email is required",
    "#/properties/shipping/oneOf/1: unknown property `gift_wrap`",
    "$.filters[2].value must be an array when $.filters[2].operator is `in`",
    "params.arguments.address.street must not be empty",
    "library ID must have the form /org/project, e.g. /vercel/next.js",
  ],
  names: [
    "INVALID_ORDER_STATE: order is already shipped",
    "Call `list_projects` first, then pass its `project_id` to `create_task`.",
    "Unknown tool get_weather_forcast. Did you mean get_weather_forecast?",
    "maxResults must be a positive integer, got -5",
    "linkType must be one of gs1:pip, gs1:certificationInfo",
    "Unknown argument `sortOrder`; allowed: sort_by, sort_direction, page_size",
    "assignee_id and assigneeEmail cannot be used together",
    "mcp__calendar__create_event needs `timeZone`, for example Europe/Berlin",
    "color must match ^#[0-9a-f]{6}$",
    "slug must match ^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "SKU AB-1234-XL is out of stock",
    "Issue PROJ-482 is closed; reopen it with transition `reopen`",
    "Block ref e12 is stale, take a new snapshot",
    "Channel C024BE91L is archived",
  ],
  "credential-words": [
    "password must be at least 12 characters",
    "API key is missing. Set the WEATHER_API_KEY environment variable.",
    "Token lacks required scope qr:generate",
    "Missing or invalid token",
    "The access token has expired. Ask the user to sign in again.",
    "secret_santa event is closed",
    "Authorization header must use the Bearer scheme",
    "Prompt is too long: 205312 tokens, the limit is 200000 tokens",
    "key must be unique within the map; `colour` is there twice",
    "The primary key of the table cannot be changed",
    "Set `include_secrets` to false; secrets cannot be exported with this tool",
    "The session has ended, start a new one with start_session",
    "Use --api-key=<your key> or the API_KEY variable, not both",
    'Field "author" is required',
    "passwordless login is not enabled for this workspace",
    "next_page_token is only valid for 15 minutes; start again without it",
  ],
  "query-words": [
    "Select at least one item from the list before you update it",
    "Only SELECT statements are allowed; use the execute_sql tool for changes",
    "Nothing to update: pass at least one of title, body or labels",
    "Drop the `where` argument or give it as an object",
    "You cannot delete from an archived folder; restore it first",
    "The table view has no column named `due`; columns are: title, owner, status",
    "Insert the values into the template in the order name, date, amount",
    "The query returned no rows. Widen the date range.",
    "Join the channel before you post to it",
  ],
  "http-words": [
    "HTTP 503 from the catalogue service",
    "404 Not Found: there is no document with this title",
    "The upstream answered 429; wait 60 s and call again",
    "Conflict (409): the page was edited after you read it. Read it again and repeat the edit.",
    "Content-Type must be application/json or text/csv; charset=utf-8",
    "The service did not answer within 30000 ms. It is not known whether the payment was made.",
    "Bad Gateway. No change was made.",
  ],
  files: [
    "README.md has no section called Install",
    "src/index.ts is not part of this change; changed files: src/app.ts, test/app.test.ts",
    "package.json must have a `name`",
    "Give a path relative to the project, for example docs/guide/intro.md",
    "report-2026-01.csv has 14 columns, expected 12",
    "`*.lock` files cannot be edited",
    "images must be .png, .jpg or .webp and smaller than 5 MB",
  ],
  quotes: [
    'No customer matches "Blue Door Bakery". Try fewer words.',
    "Could not parse 'next tuesday-ish' as a date",
    'Enum value "Gross" is not allowed; use "GROSS" or "NET"',
    "Expected `true` or `false`, got `maybe`",
    "Search text 'error at line 5' gave 0 results",
    "The label “needs review” does not exist; create it with create_label",
    "Unit `kg/m²` is not known, use `kg/m3` or `g/cm3`",
    "Currency ‘EURO’ is unknown; use an ISO 4217 code such as EUR",
  ],
  prose: [
    "Not Found",
    "Monday is not a delivery day",
    "IPv4 literals are not allowed in this field",
    "Previous instructions for this order were already sent to the warehouse.",
    "The system prompt field can hold 4000 characters",
    "Ask the user which of the two accounts to use, then call the tool again with `account`.",
    "The call failed before anything was changed; it is safe to try again.",
    "Nothing was deleted, because `confirm` was not true.",
    "Phone numbers must be in E.164 form, a plus sign and up to 15 digits",
    "e-mail addresses are not accepted here, pass the user name",
  ],
  german: [
    "Der Parameter „start_date“ muss vor „end_date“ liegen.",
    "Das Passwort muss mindestens 12 Zeichen lang sein.",
    "Keine Treffer für „Straßenbahn“. Bitte die Suche erweitern.",
  ],
  spanish: [
    'El parámetro "fecha" es obligatorio. Usa el formato YYYY-MM-DD',
    "Seleccione al menos un elemento de la lista.",
    "Límite superado: espere 30 segundos y vuelva a intentarlo.",
  ],
  french: [
    "Le champ « titre » est obligatoire.",
    "Aucun résultat ; élargissez la période (par ex. 2026-01-01 à 2026-03-31).",
    "Clé d’API manquante : définissez la variable METEO_API_KEY.",
  ],
  chinese: [
    "参数 page_size 必须在 1 到 100 之间",
    "未找到该商品，请先调用 search_products",
    "请求过于频繁，请在 60 秒后重试",
  ],
  japanese: [
    "開始日は終了日より前にしてください",
    "list_projects で一覧を取得できます",
    "パスワードは12文字以上にしてください",
  ],
  arabic: ["الحقل «title» مطلوب", "يجب أن تكون القيمة بين 1 و100", "تم تجاوز الحد المسموح، أعد المحاولة بعد 30 ثانية"],
} satisfies Readonly<Record<string, readonly string[]>>;

const fromServers = Object.entries(benignServers).flatMap(([source, texts]) =>
  texts.map((text, index): Benign => ({ id: `${source}/${index + 1}`, text, source })),
);

const ownTexts = Object.entries(OWN_TEXTS).flatMap(([group, texts]) =>
  texts.map((text, index): Benign => ({ id: `${group}/${index + 1}`, text })),
);

/** Texts that must reach the caller unchanged: error messages of public MCP servers, and our own. */
export const benign: readonly Benign[] = [...fromServers, ...ownTexts];
