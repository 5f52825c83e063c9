import { execFileSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import type { Incident } from "../../api/types.ts";
import { chainText, curlCommands, ticketMarkdown } from "./ticket.ts";

const INCIDENT: Incident = {
  ...{ id: "01M7K7RE4ST7GE86F8QRXY0849", at: "2026-11-16T14:30:33.000Z", fingerprint: "7b1d445dcd8e" },
  ...{ reason: "transport/connection_lost", kind: "unavailable", tool: "shop__refund", upstream: "shop" },
  ...{ caller: '["key","acme","agent-eu"]', tenant: "acme", effect: "possible" },
  sample: {
    fault: { kind: "unavailable", reason: "transport/connection_lost" },
    sentText: "The connection broke. Do not repeat the call.",
    causes: [
      {
        ...{ name: "SocketError", code: "ECONNRESET", message: "read ECONNRESET" },
        ...{ fields: { port: "8443" }, frames: ["at TLSWrap.onStreamRead (node:internal)"] },
      },
    ],
    durationMs: 2_143,
    protocol: "2026-07-28",
  },
};
const LINK = "https://ops.example/console/i/01M7K7RE4ST7GE86F8QRXY0849";

function hostile(text: string): Incident {
  const cause = { name: text, message: text, fields: { [text]: text }, frames: [text] };
  return {
    ...INCIDENT,
    ...{ tool: text, upstream: text, tenant: text, caller: JSON.stringify(["key", text, text]), reason: text },
    sample: { fault: { kind: text, reason: text }, sentText: text, causes: [cause] },
  };
}

it("writes a ticket", () => {
  expect(ticketMarkdown(INCIDENT, { explanation: { title: "Connection lost" }, link: LINK })).toBe(
    [
      "## Connection lost while `shop__refund` ran",
      "",
      "- Incident: `01M7K7RE4ST7GE86F8QRXY0849`",
      "- Time: 2026-11-16 14:30:33 UTC",
      "- Caller: `agent-eu` of `acme`",
      "- Tool: `shop__refund`",
      "- Upstream: `shop`",
      "- Reason: `transport/connection_lost`",
      "- Effect: May have taken effect",
      "- Took: 2,143 ms",
      "",
      "The model read:",
      "",
      "> ```text",
      "> The connection broke. Do not repeat the call.",
      "> ```",
      "",
      "What happened:",
      "",
      "```text",
      "SocketError ECONNRESET: read ECONNRESET",
      "  port: 8443",
      "    at TLSWrap.onStreamRead (node:internal)",
      "```",
      "",
      `<${LINK}>`,
      "",
    ].join("\n"),
  );
});

it("leaves out what is not known", () => {
  const row = {
    id: INCIDENT.id,
    at: INCIDENT.at,
    fingerprint: "7b1d445dcd8e",
    reason: "core/internal",
    kind: "internal",
  };
  expect(ticketMarkdown(row, { link: LINK })).toBe(
    `## \`core/internal\`\n\n- Incident: \`${INCIDENT.id}\`\n- Time: 2026-11-16 14:30:33 UTC\n- Reason: \`core/internal\`\n- Effect: not known\n\n<${LINK}>\n`,
  );
});

describe("hostile texts in a ticket", () => {
  test.each([
    "```\n# Owned\n[link](javascript:alert(1))\n```",
    "``````\n<img src=x onerror=alert(1)>",
    "a\r# heading\r\n- list",
    "a\u2028# heading",
    "` `` ``` ````",
    "`",
    "\u202Eevil\u0007\u0000",
    "@everyone https://evil.example ![x](https://evil.example/x.png)",
  ])("%j", (text) => {
    const markdown = ticketMarkdown(hostile(text), { link: LINK });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be there.
    expect(markdown).not.toMatch(/[\r\u0000\u0007\u2028\u202e]/);
    const lines = markdown.split("\n");
    // Outside of the fences there are only lines of ours, and foreign text in them stands in code.
    const [, fence = ""] = /^(`{3,})text$/m.exec(markdown) ?? [];
    const [, quoted = ""] = /^> (`{3,})text$/m.exec(markdown) ?? [];
    expect(lines.filter((line) => line === fence)).toHaveLength(1);
    expect(lines.filter((line) => line === `> ${quoted}`)).toHaveLength(1);
    const from = lines.indexOf(`${fence}text`);
    const to = lines.indexOf(fence);
    const outside = [...lines.slice(0, from), ...lines.slice(to + 1)].filter((line) => line !== "");
    for (const line of outside)
      expect(line).toMatch(/^(?:## `|- [A-Z][a-z]+: |The model read:|What happened:|> |<https:)/);
    // Code spans are closed: without them no character of the text is left.
    for (const line of outside.filter((one) => /^(?:##|-)/.test(one)))
      expect(line.replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "")).not.toMatch(/[`<[@!]|https:/);
  });
});

it("writes the chain as lines", () => {
  expect(chainText(INCIDENT)).toBe(
    "SocketError ECONNRESET: read ECONNRESET\n  port: 8443\n    at TLSWrap.onStreamRead (node:internal)",
  );
});

describe("commands", () => {
  const API = "http://127.0.0.1:8081/admin/v1/incidents/01M7K7RE4ST7GE86F8QRXY0849";

  it("ask the API, and make the call without its arguments", () => {
    expect(curlCommands(INCIDENT, { apiAddress: API })).toBe(
      [
        `curl -s '${API}' \\`,
        '  -H "Authorization: Bearer $KEY"',
        "",
        'curl -s "$GATEWAY_URL" \\',
        '  -H "Authorization: Bearer $GATEWAY_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        "  -H 'Accept: application/json, text/event-stream' \\",
        "  -H 'MCP-Protocol-Version: 2026-07-28' \\",
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__refund","arguments":ARGUMENTS}}'`,
        "",
      ].join("\n"),
    );
  });

  it("are one where the incident has no tool", () => {
    const { tool: _tool, ...row } = INCIDENT;
    expect(curlCommands(row, { apiAddress: API })).toBe(`curl -s '${API}' \\\n  -H "Authorization: Bearer $KEY"\n`);
  });

  test.each(["'; rm -rf / #", "$(id)`id`", "a\nb\\", "\"}}' -o /etc/passwd '", "\u202Eevil", "!x & y"])(
    "%j stays one argument of the shell",
    (tool) => {
      const script = curlCommands({ ...INCIDENT, tool }, { apiAddress: API });
      expect(script).toMatch(/^[ -~\n]+$/);
      // The shell itself says what it reads: each argument of the second command, ended by NUL.
      const printed = execFileSync("/bin/sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${script}`], {
        encoding: "utf8",
        env: { KEY: "k", GATEWAY_KEY: "g", GATEWAY_URL: "http://gateway/mcp" },
      }).split("\0");
      const body = printed.at(-2) ?? "";
      expect(JSON.parse(body.replace("ARGUMENTS", "{}"))).toEqual({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: {} } },
      });
      expect(printed.slice(0, 4)).toEqual(["-s", API, "-H", "Authorization: Bearer k"]);
      expect(printed).toHaveLength(4 + 12 + 1);
    },
  );

  it("name a known revision where that of the caller is odd", () => {
    const sample = { ...INCIDENT.sample, fault: { kind: "k", reason: "r" }, causes: [], protocol: "1\r\nX: y" };
    expect(curlCommands({ ...INCIDENT, sample }, { apiAddress: API })).toContain("'MCP-Protocol-Version: 2025-11-25'");
  });
});
