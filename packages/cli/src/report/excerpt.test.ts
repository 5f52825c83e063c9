import { describe, expect, it } from "vitest";
import { sampleExchange } from "../../test/support/samples.ts";
import type { RecordedAnswer, RecordedRequest, StimulusName } from "../recording/recording.ts";
import { gotText, sentText, withoutPasswords } from "./excerpt.ts";

const answered = (answer: RecordedAnswer) => gotText(sampleExchange({ answer }));
const sentAs = (sent: Partial<RecordedRequest>, stimulus: StimulusName = "http-edge") =>
  sentText(sampleExchange({ stimulus, sent: { text: "{}", bytes: 2, ...sent } }));

function message(content: object, status?: number): RecordedAnswer {
  const http = status === undefined ? {} : { http: { status, headers: {}, streamed: false } };
  return { kind: "message", message: { jsonrpc: "2.0", id: 1, ...content }, text: "", bytes: 0, ms: 1, ...http };
}

function body(text: string, type?: string): RecordedAnswer {
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  return { kind: "body", text, bytes: text.length, ms: 1, http: { status: 400, headers, streamed: false } };
}

describe("sentText", () => {
  it("shows method and headers where they are the point", () => {
    const http = {
      method: "PUT",
      headers: { origin: "https://recourse-probe.invalid", accept: "", "mcp-method": "x" },
    };
    expect(sentAs({ http })).toBe("PUT  origin: https://recourse-probe.invalid  (no accept)  {}");
    expect(sentAs({ http: { ...http, method: "POST" } }, "unknown-tool")).toBe("{}");
  });

  it("shortens what repeats, and says how long it was", () => {
    expect(sentAs({ text: "[".repeat(2000), bytes: 40_000 })).toBe("40,000 bytes:  [[[[[[[[[[[[…");
  });

  it("says that nothing was sent", () => {
    expect(sentAs({ text: "", bytes: 0 })).toBe("(nothing)");
  });
});

describe("gotText", () => {
  it.each([
    [message({ error: { code: -32603, message: "oops" } }), "error -32603  oops"],
    [message({ error: { code: -32700, message: "no" } }, 400), "400  error -32700  no"],
    [message({ error: { code: "E", message: 5 } }), "error E"],
    [message({ result: { isError: true, content: [{ type: "text", text: "no" }] } }), "isError  no"],
    [message({ result: { tools: [] } }, 200), 'result  {"tools":[]}'],
    [body("", "text/plain"), "400  text/plain  (empty body)"],
    [body("Forbidden\n"), "400  Forbidden"],
    [
      body(
        "<html><title>Error</title><style>p{}</style><pre>at f (&lt;a&gt;) &amp;lt;</pre>",
        "text/html; charset=utf-8",
      ),
      "400  text/html  at f (<a>) &lt;",
    ],
    [{ kind: "silent", ms: 8000, strays: [] }, "nothing for 8.0 s"],
    [
      { kind: "closed", ms: 1, exitCode: 1, stderr: "Error: x\n" },
      "the process ended with exit code 1; stderr: Error: x",
    ],
    [{ kind: "closed", ms: 1, exitCode: null, signal: "SIGKILL" }, "the process was ended by SIGKILL"],
    [{ kind: "closed", ms: 1 }, "the connection was closed without an answer"],
    [{ kind: "inconclusive", ms: 1, because: "EPIPE" }, "unclear: EPIPE"],
  ] satisfies [RecordedAnswer, string][])("describes %j", (answer, text) => {
    expect(answered(answer)).toBe(text);
  });

  it("does not repeat a password that the server leaked", () => {
    const leak = message({ error: { code: -32603, message: "http://report:s3cr3t-Pa55@10.0.0.5/sales" } });
    expect(answered(leak)).toBe("error -32603  http://report:…@10.0.0.5/sales");
    expect(withoutPasswords("postgres://:pw@h/db and http://h:80/a@b")).toBe("postgres://:…@h/db and http://h:80/a@b");
  });
});
