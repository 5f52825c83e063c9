/** An element of a document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z][\w:-]*)="([^"<]*)"/g;
const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/;
const REFERENCES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** What XML 1.0 cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among it.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;

/** Reads XML of the plain kind that our reports are made of, and throws on everything else. */
export function readXml(text: string): XmlElement {
  const source = text.replace(DECLARATION, "");
  if (FORBIDDEN.test(source)) throw new Error("a character that XML cannot hold");
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let at = 0;
  while (at < source.length) {
    const inside = open.at(-1) ?? root;
    if (source[at] !== "<") {
      const end = source.indexOf("<", at) < 0 ? source.length : source.indexOf("<", at);
      inside.text += decoded(source.slice(at, end));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const [tag, closing, name = "", attributes = "", empty] = TAG.exec(source) ?? [];
    if (tag === undefined) throw new Error(`not a tag: ${source.slice(at, at + 60)}`);
    at += tag.length;
    if (closing === "/") {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key, decoded(value)] as const);
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`<${name}> has an attribute twice`);
    const element: XmlElement = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
    inside.children.push(element);
    if (empty !== "/") open.push(element);
  }
  const [only] = root.children;
  if (open.length !== 1 || only === undefined || root.children.length > 1 || root.text.trim() !== "")
    throw new Error("not one element");
  return only;
}

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|([a-z]{2,5}))?(;?)/g,
    (all, code: string | undefined, name: string | undefined, end) => {
      const character = code === undefined ? REFERENCES[name ?? ""] : String.fromCodePoint(Number(code));
      if (end !== ";" || character === undefined) throw new Error(`not a reference: ${all}`);
      return character;
    },
  );
}

/** Every element of this name below an element. */
export function elementsNamed({ children }: XmlElement, name: string): XmlElement[] {
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)]);
}
