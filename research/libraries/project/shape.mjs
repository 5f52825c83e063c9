// What a thrown error has that the table of the library reads, as JSON: fixtures of fast tests are made of it.

const MEMBERS = new Set(
  `$fault $metadata $response $retryable _body _data _headersMap _message bodyAsText body bodyTruncated cause clientVersion
  code command cmd data detail details driverError errcode errno error errorCode errors exception expose extendedCode header
  headers hint httpResponse httpStatus httpStatusCode input internalRepr isBoom isException isWireError json killed level
  mark buffer message meta metadata name original originalError output parent parsedBody parsedHeaders path raw rawError
  rawMessage rawResponse reason rejectedErrors request_id requestID requestId requestBodyValues res resp response
  responseBody responseCode responseHeaders retriesLeft retry_after retryAfter retryAfterMs severity signal sqlState status
  statusCode syscall text throttling timedOut timeout timeToReset unhandled url valueType`.split(/\s+/),
);
/** Objects whose members all belong to a reply. */
const WHOLE = new Set([
  "headers",
  "header",
  "data",
  "body",
  "json",
  "error",
  "details",
  "parsedHeaders",
  "meta",
  "metadata",
]);
const MOST = 300;
/** Headers that say nothing about a failure. */
const IDLE = /^(?:date|connection|keep-alive|transfer-encoding|content-length|vary|server)$/i;

/** The shape of a thrown value; undefined for what JSON cannot hold. */
export function shapeOf(value, depth = 5, isWhole = false) {
  if (typeof value === "string") return value.slice(0, MOST);
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "object" || depth === 0) return undefined;
  if (value instanceof Headers) return { class: "Headers", entries: [...value].filter(([name]) => !IDLE.test(name)) };
  if (value instanceof Response) {
    return { class: "Response", status: value.status, address: value.url !== "", headers: shapeOf(value.headers) };
  }
  if (value instanceof DOMException) return { class: "DOMException", name: value.name };
  if (value instanceof Map) {
    return { class: "Map", entries: [...value].slice(0, 20).map(([key, one]) => [key, shapeOf(one, depth - 1, true)]) };
  }
  if (Buffer.isBuffer(value) || (typeof value.pipe === "function" && value.statusCode === undefined)) return undefined;
  if (Array.isArray(value)) return value.slice(0, 5).map((one) => shapeOf(one, depth - 1, isWhole));
  const classes = classesOf(value);
  const members = {};
  for (const name of Object.getOwnPropertyNames(value)) {
    if ((!MEMBERS.has(name) && !isWhole) || IDLE.test(name)) continue;
    const { value: member, get } = Object.getOwnPropertyDescriptor(value, name);
    const isGetter = get !== undefined && name === "response";
    const shape = shapeOf(isGetter ? get.call(value) : member, depth - 1, isWhole || WHOLE.has(name));
    if (shape !== undefined) members[isGetter ? "get response" : name] = shape;
  }
  // Replies of Node and of superagent keep status and headers behind getters of their class.
  for (const name of ["status", "statusCode", "headers", "body", "text", "data"]) {
    if (!(name in members) && /Response|IncomingMessage/.test(classes[0] ?? "") && name in value) {
      const shape = shapeOf(value[name], depth - 1, true);
      const isOwn = Object.getOwnPropertyDescriptor(value, name) !== undefined;
      if (shape !== undefined && isOwn) members[name] = shape;
    }
  }
  return { class: classes.join(" "), ...(value instanceof Error && { isError: true }), members };
}

function classesOf(value) {
  const names = [];
  for (let at = value; at !== null && names.length < 8; at = Object.getPrototypeOf(at)) {
    const own = Object.getOwnPropertyDescriptor(at, "constructor")?.value;
    if (typeof own?.name === "string" && own.name !== "Object") names.push(own.name);
  }
  return names;
}
