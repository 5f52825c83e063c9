import { describe, expect, it } from "vitest";
import { operationAt, withBody } from "../../test/operation.ts";
import { decodeBase64 } from "./body.ts";
import { buildRequest } from "./build-request.ts";

describe("body", () => {
  const server = new URL("https://api.example");
  const text = { type: "string" };
  const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });

  function sent(operation: ReturnType<typeof withBody>, args: object, maxBytes?: number) {
    const built = buildRequest(operation, args, { server, maxBytes });
    return built.ok ? [built.request.headers["content-type"], built.request.body] : built.issues;
  }

  it("writes JSON from members, with their own names", () => {
    const operation = withBody("application/json", { schema: object({ name: text, "tags[]": {}, note: {} }) });
    expect(sent(operation, { name: "Ü", tags: [1, { a: null }], note: null })).toEqual([
      "application/json",
      '{"name":"Ü","tags[]":[1,{"a":null}],"note":null}',
    ]);
    expect(sent(operation, {})).toEqual(["application/json", "{}"]);
  });

  it("writes a whole JSON body", () => {
    const operation = withBody("application/merge-patch+json", { schema: { type: "array" } });
    expect(sent(operation, { body: [1, 2] })).toEqual(["application/merge-patch+json", "[1,2]"]);
    expect(sent(operation, {})).toEqual([{ pointer: "/body", rule: "required" }]);
  });

  it("sends no body that is not required and not given", () => {
    const schema = object({ a: text, b: text }, ["b"]);
    const operation = withBody("application/json", { schema }, { required: false });
    expect(sent(operation, {})).toEqual([undefined, undefined]);
    expect(sent(operation, { a: "x" })).toEqual([{ pointer: "/b", rule: "required" }]);
  });

  it("writes forms", () => {
    const deep = { style: "deepObject", explode: true };
    const encoding = { expand: deep, metadata: deep, items: deep, json: { contentType: "application/json" } };
    const lists = { expand: ["a", "b"], items: [{ price: "p", quantity: 2 }], list: [1, 2], json: ["x"] };
    const args = { name: "A & B", ...lists, metadata: { k: "v" }, flag: true, nothing: null };
    const schema = object(Object.fromEntries(Object.keys(args).map((name) => [name, {}])));
    const operation = withBody("application/x-www-form-urlencoded", { schema, encoding });
    const [type, body] = sent(operation, args);
    expect(type).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(String(body))].map((pair) => pair.join("=")).join(" | ")).toBe(
      "name=A & B | expand[]=a | expand[]=b | items[0][price]=p | items[0][quantity]=2 | list=1 | list=2 | " +
        'json=["x"] | metadata[k]=v | flag=true',
    );
  });

  it("writes nested values of a form as JSON by default", () => {
    const operation = withBody("application/x-www-form-urlencoded", { schema: object({ blocks: {}, meta: {} }) });
    const [, body] = sent(operation, { blocks: [{ a: 1 }], meta: { b: 2 } });
    expect(Object.fromEntries(new URLSearchParams(String(body)))).toEqual({ blocks: '[{"a":1}]', meta: '{"b":2}' });
  });

  it("writes a form that is one argument", () => {
    const operation = withBody("application/x-www-form-urlencoded", { schema: { oneOf: [object({ a: text })] } });
    expect(sent(operation, { body: { a: 1, b: null } })).toEqual(["application/x-www-form-urlencoded", "a=1"]);
    expect(sent(operation, { body: "a=1&admin=1" })).toMatchObject([{ pointer: "/body", rule: "type" }]);
  });

  it("writes text and bytes", () => {
    expect(sent(withBody("text/csv", {}), { body: "a;b\n" })).toEqual(["text/csv", "a;b\n"]);
    expect(sent(withBody("text/csv", {}), { body: 5 })).toMatchObject([{ pointer: "/body", rule: "type" }]);
    expect(sent(withBody("image/png", {}), { body: "AQID" })).toEqual(["image/png", Uint8Array.of(1, 2, 3)]);
    expect(sent(withBody("image/png", {}), { body: "not base64!" })).toMatchObject([
      { pointer: "/body", rule: "format" },
    ]);
  });

  it.each([
    ["application/json", { body: "x".repeat(100) }],
    ["text/plain", { body: "ü".repeat(30) }],
    ["application/octet-stream", { body: "A".repeat(100) }],
  ])("limits the size of %s", (type, args) => {
    expect(sent(withBody(type, { schema: text }), args, 50)).toMatchObject([{ pointer: "/body", rule: "length" }]);
  });

  it("refuses values that JSON does not have", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const operation = withBody("application/json", { schema: {} });
    for (const body of [1n, loop, () => 1]) expect(sent(operation, { body })).toMatchObject([{ rule: "type" }]);
  });

  it("sends no body with GET", () => {
    const requestBody = { required: true, content: { "application/json": { schema: object({ a: text }) } } };
    const operation = operationAt("/a", "get", { requestBody });
    expect(sent(operation, {})).toEqual([undefined, undefined]);
    expect(sent(operation, { a: "x" })).toMatchObject([{ pointer: "", rule: "unknown" }]);
  });
});

describe("multipart", () => {
  const server = new URL("https://api.example");
  const file = { type: "string", format: "binary" };
  const properties = {
    file,
    files: { type: "array", items: file },
    text: { type: "string" },
    list: { type: "array", items: { type: "string" } },
    options: { type: "object" },
    page: { type: "string" },
  };
  const operation = withBody("multipart/form-data", {
    schema: { type: "object", properties },
    encoding: { page: { contentType: "text/html" } },
  });

  function build(args: object, maxBytes?: number) {
    return buildRequest(operation, args, { server, maxBytes });
  }

  /** Reads the body back with the platform's own parser. */
  async function form(args: object): Promise<FormData> {
    const built = build(args);
    if (!built.ok) throw new Error(JSON.stringify(built.issues));
    return new Response(built.request.body ?? null, { headers: { ...built.request.headers } }).formData();
  }
  const upload = (more: object = {}) => ({ filename: "a.png", mimeType: "image/png", dataBase64: "AQID", ...more });

  it("carries files, texts, lists and objects", async () => {
    const read = await form({
      file: upload(),
      files: [upload({ filename: "b.png" }), { filename: "c", dataBase64: "" }],
      text: "Ü\r\n--x",
      list: ["a", "b", null],
      options: { a: [1] },
    });
    const one = read.get("file") as File;
    expect([one.name, one.type, [...(await one.bytes())]]).toEqual(["a.png", "image/png", [1, 2, 3]]);
    expect(read.getAll("files").map((each) => [(each as File).name, (each as File).type])).toEqual([
      ["b.png", "image/png"],
      ["c", "application/octet-stream"],
    ]);
    expect([read.get("text"), read.getAll("list")]).toEqual(["Ü\r\n--x", ["a", "b"]]);
    expect(read.get("options")).toBe('{"a":[1]}');
  });

  it("names the type of a part where the document does", () => {
    const built = build({ page: "<p>", options: {} });
    const body = built.ok ? Buffer.from(built.request.body ?? "").toString() : "";
    expect(body).toContain('name="page"\r\nContent-Type: text/html\r\n\r\n<p>\r\n');
    expect(body).toContain('name="options"\r\nContent-Type: application/json\r\n\r\n{}\r\n');
  });

  it("cannot be split by its own content", async () => {
    const first = build({ text: "a" });
    const boundary = first.ok ? /boundary=(.+)$/.exec(first.request.headers["content-type"] ?? "")?.[1] : "";
    const hostile = `a\r\n--${boundary}\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1\r\n--${boundary}--\r\n`;
    const read = await form({ text: hostile });
    expect([...read]).toEqual([["text", hostile]]);
    expect(build({ text: "a" })).toEqual(first);
  });

  it("keeps a name with quotation marks in its place", async () => {
    const read = await form({ file: upload({ filename: 'a"; name="admin' }) });
    expect([...read.keys()]).toEqual(["file"]);
  });

  it.each([
    ["no name", { dataBase64: "AQID" }],
    ["an empty name", upload({ filename: "" })],
    ["no content", { filename: "a" }],
    ["a text", "AQID"],
  ])("refuses a file with %s", (_, value) => {
    const built = build({ file: value });
    expect(built.ok || built.issues).toMatchObject([{ pointer: "/file" }]);
  });

  it("respects the size limit", () => {
    const built = build({ file: upload({ dataBase64: "A".repeat(4_000) }) }, 1_000);
    expect(built.ok || built.issues).toMatchObject([{ pointer: "/file", rule: "length" }]);
  });

  it("reads base64 in both alphabets, with and without padding", () => {
    for (const [text, bytes] of [
      ["", []],
      ["AQID", [1, 2, 3]],
      ["AQI=", [1, 2]],
      ["AQI", [1, 2]],
      ["-_8", [251, 255]],
    ] as const)
      expect(decodeBase64(text, 10)).toEqual({ ok: true, value: Uint8Array.from(bytes) });
  });

  it.each([
    ["A", "format"],
    ["AQ ID", "format"],
    ["AQID\n", "format"],
    ["data:image/png;base64,AQID", "format"],
    ["A".repeat(400), "length"],
    [5, "type"],
  ])("refuses %j", (text, rule) => {
    expect(decodeBase64(text, 100)).toMatchObject({ ok: false, problem: { rule } });
  });
});
