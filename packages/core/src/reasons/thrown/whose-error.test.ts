import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import createError from "http-errors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type GuardedCode, guardedCode } from "./frames.ts";
import { authoredSentence } from "./whose-error.ts";

const S = "Call list_channels first.";
const UNREADABLE: GuardedCode = { packageName: undefined };

class OwnError extends Error {}

let folder = "";
let library: { make(text: string): Error; call<T>(run: () => T): T };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "whose-error-"));
  const home = join(folder, "node_modules", "@scope", "lib");
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "index.mjs"),
    "export const make = (text) => new Error(text);\nexport const call = (run) => run();\n",
  );
  library = (await import(pathToFileURL(join(home, "index.mjs")).href)) as typeof library;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function entry(): GuardedCode {
  return guardedCode(entry);
}

describe("guardedCode", () => {
  it("names the package of the code that calls", () => {
    expect(entry()).toEqual({ packageName: "" });
    const inLibrary = library.call.bind(undefined, entry);
    // The caller of `entry` is the library here.
    expect(inLibrary()).toEqual({ packageName: "@scope/lib" });
  });
});

describe("authoredSentence", () => {
  const own = entry();
  const invalid = () => JSON.parse("{");
  const caught = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };

  it.each([
    ["an error of this code", () => new Error(S)],
    ["one of a class of this code", () => new OwnError(S)],
    ["one that a library calls this code for", () => library.call(() => new Error(S))],
    ["one with a cause", () => new Error(S, { cause: new TypeError("private") })],
    ["a protocol error of version 1", () => new McpError(ErrorCode.InvalidParams, S)],
    ["a protocol error of version 2", () => new ProtocolError(-32603, S)],
    [
      "one of an engine that notes the place in members",
      () => Object.assign(new Error(S), { line: 1, column: 2, sourceURL: "/srv/a.js" }),
    ],
    ["one with a name of its own", () => Object.assign(new Error(S), { name: "ChannelError" })],
  ])("is the text of %s", (_, make) => expect(authoredSentence(make(), own)).toBe(S));

  it.each([
    ["an error of another package", () => library.make(S)],
    ["one of the engine", () => new TypeError(S)],
    ["one that the engine made", () => caught(invalid)],
    ["one of a class that extends one of the engine", () => new (class extends RangeError {})(S)],
    ["one of the system", () => Object.assign(new Error(S), { errno: -2, syscall: "open" })],
    ["one of Node", () => Object.assign(new Error(S), { code: "ERR_INVALID_ARG_TYPE" })],
    ["one with members", () => Object.assign(new Error(S), { status: 500 })],
    ["a protocol error with data", () => new McpError(-32602, S, { from: "another server" })],
    ["a string", () => S],
    ["an object", () => ({ message: S })],
    ["an error without text", () => new Error(" ")],
  ])("is not the text of %s", (_, make) => expect(authoredSentence(make(), own)).toBeUndefined());

  it("is the text of an error that a library made for this code, where its class hides its own frames", () => {
    expect(authoredSentence(createError(404, S), own)).toBe(S);
  });

  it("is not taken from a stack that the message imitates", () => {
    const text = `${S}\n    at run (${import.meta.filename}:1:1)`;
    expect(authoredSentence(library.make(text), own)).toBeUndefined();
  });

  it("runs no code of what was thrown", () => {
    const ran: string[] = [];
    const trap = (key: string) => ({
      get() {
        ran.push(key);
        return S;
      },
    });
    for (const key of ["message", "name", "stack", "cause"]) {
      authoredSentence(Object.defineProperty(new Error(S), key, trap(key)), own);
    }
    const hostile = new Proxy(new Error(S), {
      get: (_target, key) => void ran.push(String(key)),
      getPrototypeOf: (target) => Reflect.getPrototypeOf(target),
    });
    authoredSentence(hostile, own);
    expect(ran).toEqual([]);
  });

  it("leaves the stack as it reads otherwise, and the hook of others in its place", () => {
    const { prepareStackTrace } = Error;
    onTestFinished(() => {
      Error.prepareStackTrace = prepareStackTrace;
    });
    const told: unknown[] = [];
    const hook = (error: Error) => {
      told.push(error);
      return "written by another hook";
    };
    Error.prepareStackTrace = hook;
    const error = new Error(S);
    expect(authoredSentence(error, own)).toBe(S);
    expect(error.stack).toBe("written by another hook");
    expect(Error.prepareStackTrace).toBe(hook);
    expect(told).toEqual([error]);
  });

  describe("where frames say nothing", () => {
    it.each([
      ["an error of exactly the class Error", () => new Error(S), S],
      ["a protocol error", () => new ProtocolError(-32602, S), S],
      ["an error of another class", () => new OwnError(S), undefined],
      ["an error of the engine", () => new TypeError(S), undefined],
    ])("it is the class of %s that decides", (_, make, expected) => {
      expect(authoredSentence(make(), UNREADABLE)).toBe(expected);
      const read = make();
      void read.stack;
      expect(authoredSentence(read, own)).toBe(expected);
    });
  });
});
