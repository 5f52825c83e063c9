// What the parameters of each method must look like. The SDK's own checks answer with a validator's dump, under a code
// that blames the server, so the shape is looked at before.

type Loose = Readonly<Record<string, unknown>>;
type Check = (params: Loose) => boolean;

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isMaybe = (value: unknown, check: (value: unknown) => boolean): boolean => value === undefined || check(value);

const listed: Check = ({ cursor }) => isMaybe(cursor, isText);

const SHAPES: Readonly<Record<string, Check>> = {
  "tools/list": listed,
  "prompts/list": listed,
  "resources/list": listed,
  "resources/templates/list": listed,
  "tools/call": ({ name, arguments: args }) => isText(name) && isMaybe(args, isObject),
  "prompts/get": ({ name, arguments: args }) =>
    isText(name) && isMaybe(args, (value) => isObject(value) && Object.values(value).every(isText)),
  "resources/read": ({ uri }) => isText(uri),
  "resources/subscribe": ({ uri }) => isText(uri),
  "resources/unsubscribe": ({ uri }) => isText(uri),
  "completion/complete": ({ ref, argument }) =>
    isReference(ref) && isObject(argument) && isText(argument["name"]) && isText(argument["value"]),
};

/** What a completion can be for, and the member that names it. */
const REFERENCES: Readonly<Record<string, string>> = { "ref/prompt": "name", "ref/resource": "uri" };

/** Tells whether a value refers to something to complete for. */
export function isReference(value: unknown): boolean {
  if (!isObject(value) || !isText(value["type"]) || !Object.hasOwn(REFERENCES, value["type"])) return false;
  return isText(value[REFERENCES[value["type"]] ?? ""]);
}

/** Tells whether the parameters of a request have the shape that its method demands. */
export function isWellFormed(method: string, params: unknown): boolean {
  const check = Object.hasOwn(SHAPES, method) ? SHAPES[method] : undefined;
  return check === undefined || (isMaybe(params, isObject) && check((params as Loose | undefined) ?? {}));
}

/** Tells whether a method lists something, page by page. */
export function isList(method: string): boolean {
  return method.endsWith("/list");
}
