// Renders a JSON Schema as Markdown: a table for each object, and an anchor for each member, such as `#retry.afterMs`.

/** A JSON Schema, as far as this page reads it. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly additionalProperties?: boolean | SchemaNode;
}

/** How a schema is rendered. */
export interface SchemaPageOptions {
  /** The description of a member that has none in the schema. @default none */
  readonly describe?: (path: string) => string | undefined;
}

/** An object of the schema: its members, and whether each has to be there. */
interface ObjectMembers {
  readonly members: ReadonlyMap<string, { readonly node: SchemaNode; readonly isRequired: boolean }>;
}

/** The objects that a node allows: itself, those of a list, and those of a map, whose names are `*`. */
function findObjects(node: SchemaNode, path: string): readonly { readonly path: string; readonly node: SchemaNode }[] {
  const { items, additionalProperties: others } = node;
  return [
    ...(node.properties === undefined ? [] : [{ path, node }]),
    ...(node.anyOf ?? []).flatMap((one) => findObjects(one, path)),
    ...(items === undefined ? [] : findObjects(items, path)),
    ...(typeof others === "object" ? findObjects(others, `${path}.*`) : []),
  ];
}

/** The members of several forms of one object. A member has to be there if every form needs it. */
function mergeMembers(forms: readonly SchemaNode[]): ObjectMembers["members"] {
  const members = new Map<string, { node: SchemaNode; isRequired: boolean }>();
  for (const { properties = {} } of forms) {
    for (const [name, node] of Object.entries(properties)) {
      const isRequired = forms.every(({ required = [] }) => required.includes(name));
      if (!members.has(name)) members.set(name, { node, isRequired });
    }
  }
  return members;
}

const code = (value: unknown) =>
  `\`${(typeof value === "string" ? value : JSON.stringify(value)).replaceAll("|", "\\|")}\``;
const joinPath = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

/** What a member may be, in the words of JSON. */
export function describeType(node: SchemaNode): string {
  if (node.$ref === "#") return "the same again";
  if (node.const !== undefined) return code(JSON.stringify(node.const));
  if (node.enum !== undefined) return "string";
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(describeType))].join(" or ");
  if (node.items !== undefined) return `list of ${describeType(node.items)}`;
  if (typeof node.additionalProperties === "object" && node.properties === undefined) {
    return `map of ${describeType(node.additionalProperties)}`;
  }
  return [node.type ?? "any"].flat().join(" or ");
}

const LIMITS: readonly (readonly [keyof SchemaNode, (value: unknown) => string])[] = [
  ["maxLength", (value) => `At most ${value} characters.`],
  ["minItems", (value) => (value === 0 ? "" : `At least ${value}.`)],
  ["maxItems", (value) => `At most ${value}.`],
  ["maxProperties", (value) => `At most ${value} members.`],
  ["minimum", (value) => `At least ${value}.`],
  ["maximum", (value) => `At most ${value}.`],
  ["exclusiveMaximum", (value) => `Less than ${value}.`],
  ["writeOnly", () => "A secret."],
];

/** Everything else that a schema says about a member. */
function describeMember(node: SchemaNode, description: string | undefined): string {
  const forms = [node, ...(node.anyOf ?? [])];
  const values = forms.flatMap((one) => one.enum ?? []);
  const title = forms.find((one) => one.title !== undefined)?.title;
  return [
    description,
    title === undefined ? undefined : `Form: ${title.replaceAll(/\{ .+ \}/g, code)}.`,
    values.length === 0 ? undefined : `One of ${values.map(code).join(", ")}.`,
    ...LIMITS.map(([name, say]) => (node[name] === undefined ? undefined : say(node[name]))),
    title === undefined && node.pattern !== undefined ? `Pattern: ${code(node.pattern)}.` : undefined,
    node.examples === undefined ? undefined : `For example ${node.examples.map(code).join(", ")}.`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** Renders the members of a schema, the outermost object first. */
export function renderSchema(schema: SchemaNode, { describe = () => undefined }: SchemaPageOptions = {}): string {
  const sections: string[] = [];
  const visit = (path: string, forms: readonly SchemaNode[], description: string | undefined) => {
    const nested: (() => void)[] = [];
    const members = [...mergeMembers(forms)].map(([name, { node, isRequired }]) => {
      const memberPath = joinPath(path, name);
      const text = node.description ?? describe(memberPath);
      const objects = Map.groupBy(findObjects(node, memberPath), (one) => one.path);
      for (const [place, found] of objects)
        nested.push(() =>
          visit(
            place,
            found.map((one) => one.node),
            text,
          ),
        );
      // A member with a section of its own has its anchor there.
      const label = objects.has(memberPath)
        ? `[\`${name}\`](#${memberPath})`
        : `<a id="${memberPath}"></a> \`${name}\``;
      const byDefault = node.default === undefined ? "" : code(JSON.stringify(node.default));
      return `| ${label} | ${describeType(node)} | ${isRequired ? "yes" : "no"} | ${byDefault} | ${describeMember(node, text)} |`;
    });
    const level = Math.min(2 + path.split(".").length - 1, 6);
    sections.push(
      ...(path === "" ? ["## Members {#members}"] : [`${"#".repeat(level)} \`${path}\` {#${path}}`]),
      ...(path === "" || description === undefined ? [] : [description]),
      ["| Name | Type | Required | Default | Description |", "| --- | --- | --- | --- | --- |", ...members].join("\n"),
    );
    for (const write of nested) write();
  };
  visit("", [schema], undefined);
  return `${sections.join("\n\n")}\n`;
}
