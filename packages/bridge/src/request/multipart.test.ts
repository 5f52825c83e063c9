import { expect, it } from "vitest";
import { withBody } from "../../test/operation.ts";
import { buildRequest } from "./build-request.ts";
import { decodeBase64 } from "./multipart.ts";

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
  ["a directory", upload({ filename: "../a" })],
  ["a line break", upload({ filename: "a\r\nX: y" })],
  ["no name", { dataBase64: "AQID" }],
  ["an empty name", upload({ filename: "" })],
  ["a type with a line break", upload({ mimeType: "a/b\r\nX: y" })],
  ["no base64", upload({ dataBase64: "%%%" })],
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

it.each([
  ["", []],
  ["AQID", [1, 2, 3]],
  ["AQI=", [1, 2]],
  ["AQI", [1, 2]],
  ["-_8", [251, 255]],
  ["+/8=", [251, 255]],
])("reads %j", (text, bytes) => {
  expect(decodeBase64(text, 10)).toEqual({ ok: true, value: Uint8Array.from(bytes) });
});

it.each([
  ["A", "format"],
  ["AQ ID", "format"],
  ["AQID\n", "format"],
  ["data:image/png;base64,AQID", "format"],
  ["A".repeat(400), "length"],
  [5, "type"],
  [undefined, "type"],
])("refuses %j", (text, rule) => {
  expect(decodeBase64(text, 100)).toMatchObject({ ok: false, problem: { rule } });
});
