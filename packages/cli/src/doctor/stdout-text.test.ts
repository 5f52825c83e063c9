import { expect, test } from "vitest";
import { readStdout } from "./stdout-text.ts";

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{}}';

test.for([
  ["clean lines", `${MESSAGE}\n\r\n${MESSAGE}\r\n`, 2, [], undefined],
  ["a banner", `hello\n${MESSAGE}\n`, 1, ["hello"], undefined],
  ["a log line in JSON", `{"level":30,"msg":"up"}\n${MESSAGE}\n`, 1, ['{"level":30,"msg":"up"}'], undefined],
  ["an unfinished line after a message", `${MESSAGE}\n{"jsonrpc"`, 1, [], undefined],
  ["no newline", MESSAGE, 0, [], "no-newline"],
  ["a byte order mark", `\ufeff${MESSAGE}\n`, 0, [`\ufeff${MESSAGE}`], "byte-order-mark"],
  ["headers", `Content-Length: 36\r\n\r\n${MESSAGE}`, 0, ["Content-Length: 36\r"], "content-length"],
  ["nothing", "", 0, [], undefined],
] as const)("%s", ([, text, messages, strayLines, framing]) => {
  const read = readStdout(text);
  expect(read.messages).toHaveLength(messages);
  expect(read.strayLines).toEqual(strayLines);
  expect(read.framing).toBe(framing);
});

test("one message over several lines", () => {
  expect(readStdout(`${JSON.stringify(JSON.parse(MESSAGE), undefined, 2)}\n`).framing).toBe("several-lines");
});
