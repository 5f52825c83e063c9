// What is refused, and how. Requests of people who want to break it.

import { connect } from "node:net";
import { readFault } from "@recourse/core";
import { describe, expect, it } from "vitest";
import {
  APPROVAL_ID,
  ask,
  expectProblem,
  INCIDENT,
  INCIDENT_ID,
  keyOf,
  someIncidents,
  startTestAdmin,
} from "./support.ts";

const AT = "2026-11-16T12:00:00.000Z";
const ORIGIN = { layer: "gateway", name: "test-gateway" };

describe("bodies of refusals", () => {
  it("one for refused keys, the same bytes for all of them", async () => {
    const { url } = await startTestAdmin();
    const texts = new Set<string>();
    for (const [path, key] of [
      ["/incidents", undefined],
      ["/incidents", "wrong"],
      ["/incidents", "wrong with spaces"],
      ["/nothing", undefined],
      ["/keys", "ü"],
      ["/breakers/up/reset", undefined],
    ] as const) {
      const headers = key === undefined ? {} : { authorization: `Bearer ${Buffer.from(key).toString("latin1")}` };
      const got = await ask(url, path, { key: undefined, headers });
      expect(got.headers["www-authenticate"]).toBe("Bearer");
      texts.add(`${got.status} ${got.text}`);
    }
    expect([...texts]).toEqual([`401 ${JSON.stringify(UNAUTHORIZED)}`]);
  });

  it("a role that is not enough", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/keys", { key: keyOf("approver") });
    expect(got.json).toEqual({
      type: "urn:recourse:reason:auth/not_authorized",
      title: "Forbidden",
      status: 403,
      detail: 'This call is not allowed without the role "admin".',
      fault: expect.objectContaining({
        reason: "auth/not_authorized",
        params: { operation: "listKeys", requiredRole: "admin" },
        effect: "none",
        at: AT,
        origin: ORIGIN,
      }),
    });
  });

  it("wrong parameters, each with its place", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/incidents?limit=many&since=yesterday&tol=x&kind=a&kind=b");
    expectProblem(got, 400, "protocol/invalid_params");
    expect(got.json.errors).toEqual([
      { pointer: "#/kind", code: "duplicate", detail: "one value" },
      { pointer: "#/since", code: "format", detail: "a date-time (YYYY-MM-DDThh:mm:ssZ)" },
      { pointer: "#/limit", code: "type", detail: "an integer from 1 to 200" },
      { pointer: "#", code: "unknown", suggestion: "tool" },
    ]);
  });

  it("digits are no mistake where a text is wanted", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/incidents?tool=42&limit=0");
    expect(got.json.errors).toEqual([{ pointer: "#/limit", code: "range", detail: "an integer from 1 to 200" }]);
  });

  it("a wrong body, with its place", async () => {
    const { url } = await startTestAdmin();
    const path = `/approvals/${APPROVAL_ID}/decision`;
    const got = await ask(url, path, { method: "POST", body: { approve: "yes" } });
    expectProblem(got, 400, "protocol/invalid_params");
    expect(got.json.errors).toEqual([{ pointer: "#/approve", code: "type", detail: "true or false" }]);
  });

  it("a path or a method that is not there", async () => {
    const { url } = await startTestAdmin();
    const missing = await ask(url, "/nothing");
    expectProblem(missing, 404, "core/not_found");
    const wrong = await ask(url, "/keys", { method: "PUT" });
    expectProblem(wrong, 405, "core/unsupported");
    expect(wrong.headers["allow"]).toBe("GET, HEAD, POST");
    const options = await ask(url, `/approvals/${APPROVAL_ID}/decision`, { method: "OPTIONS" });
    expect([options.status, options.headers["allow"]]).toEqual([405, "POST"]);
    expect(options.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("an incident that is not there", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/incidents/01M7HXRMR83H8Q9JKGBAVMDXX9");
    expectProblem(got, 404, "core/not_found");
    expect(got.json.fault.params).toEqual({ what: "incident" });
  });
});

const UNAUTHORIZED = {
  type: "urn:recourse:reason:auth/unauthorized",
  title: "Unauthorized",
  status: 401,
  detail: "Valid credentials are required.",
  fault: {
    v: 1,
    kind: "unauthenticated",
    class: "permission",
    reason: "auth/unauthorized",
    message: "Valid credentials are required.",
    effect: "none",
    origin: { layer: "server" },
    basis: "stated",
  },
};

describe("hostile requests", () => {
  it.each([
    ["a long id", `/incidents/${"0".repeat(2_000)}`],
    ["an id with SQL", `/incidents/${encodeURIComponent("' or 1=1; drop table incident; --")}`],
    ["an id with a path", `/incidents/${encodeURIComponent("../../etc/passwd")}`],
    ["an id with NUL", "/incidents/%00"],
    ["a caller with NUL", `/incidents?caller=${encodeURIComponent("a\u0000b")}`],
    ["a huge limit", "/incidents?limit=999999999999999"],
    ["a limit of zero", "/incidents?limit=0"],
    ["a negative limit", "/incidents?limit=-1"],
    ["a broken number", "/incidents?limit=1e3"],
    ["a limit beyond numbers", `/incidents?limit=${"9".repeat(40)}`],
    ["a long text", `/incidents?tool=${"t".repeat(5_000)}`],
    ["an empty text", "/incidents?tool="],
    ["a time before all others", "/incidents?since=0000-01-01T00:00:00Z"],
    ["a time after all others", "/incidents?until=9999-12-31T23:59:59-23:59"],
    ["a leap second", "/incidents?since=2026-11-16T23:59:60Z"],
    ["a member of all objects", "/incidents?__proto__=1"],
    ["another member of all objects", "/incidents?constructor=1"],
    ["a parameter without a name", "/incidents?=1"],
    ["an unknown group", "/incident-series?by=password"],
    ["an unknown range", "/incident-series?range=second"],
    ["a cursor of nothing", "/incidents?before=zz"],
    ["a cursor with SQL", "/audit?before=1%3B%20drop%20table%20gateway_audit"],
    ["an unknown state", "/approvals?state=PENDING"],
    ["a parameter of a route that has none", "/health?verbose=1"],
    ["a parameter beside one in the path", `/incidents/${INCIDENT_ID}?verbose=1`],
  ])("%s is refused with 400", async (_, path) => {
    const { url, reported } = await startTestAdmin();
    const got = await ask(url, path);
    expectProblem(got, 400, "protocol/invalid_params");
    expect(got.json.errors.length).toBeGreaterThan(0);
    expect(got.text).not.toMatch(/drop table|passwd|ttttt|99999999/);
    expect(reported).toEqual([]);
  });

  it("a path that cannot be decoded is refused", async () => {
    const { url } = await startTestAdmin();
    expectProblem(await ask(url, "/incidents/%E0%A4%A"), 400, "protocol/bad_request");
  });

  it.each([
    "",
    "/",
    "//incidents",
    "/incidents/",
    `/incidents/${INCIDENT_ID}/`,
    "/incidents/../keys/x/y",
    "/__proto__",
    "/Incidents",
  ])("%s is not there", async (path) => {
    const { url } = await startTestAdmin();
    expectProblem(await ask(url, path), 404, "core/not_found");
  });

  it.each([
    ["text", { text: "approve", headers: {} }, 400, "protocol/parse_error"],
    ["nothing", { text: "", headers: {} }, 400, "protocol/parse_error"],
    ["broken UTF-8", { text: Buffer.from([0x22, 0xff, 0x22]), headers: {} }, 400, "protocol/parse_error"],
    ["a list", { text: "[]", headers: {} }, 400, "protocol/invalid_params"],
    ["null", { text: "null", headers: {} }, 400, "protocol/invalid_params"],
    ["another type", { text: "{}", headers: { "content-type": "text/plain" } }, 415, "content/invalid_type"],
    [
      "a form",
      { text: "approve=true", headers: { "content-type": "application/x-www-form-urlencoded" } },
      415,
      "content/invalid_type",
    ],
    [
      "too much",
      { text: `{"approve":true,"x":"${"x".repeat(70_000)}"}`, headers: {} },
      413,
      "content/message_too_large",
    ],
    ["one member more", { text: '{"approve":true,"by":"somebody"}', headers: {} }, 400, "protocol/invalid_params"],
    ["__proto__", { text: '{"__proto__":{"approve":true}}', headers: {} }, 400, "protocol/invalid_params"],
    [
      "a deep value",
      { text: `{"approve":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, headers: {} },
      400,
      "protocol/invalid_params",
    ],
  ] as const)("a body with %s is refused, and nothing is decided", async (_, { text, headers }, status, reason) => {
    const { url, audit } = await startTestAdmin();
    const path = `/approvals/${APPROVAL_ID}/decision`;
    expectProblem(await ask(url, path, { method: "POST", text, headers }), status, reason);
    await expect(audit?.list({ limit: 5 })).resolves.toEqual([]);
    expect((await ask(url, `/approvals/${APPROVAL_ID}`)).json.state).toBe("pending");
  });

  it.each(["application/json ; charset=utf-8", "Application/JSON;", "application/json;x"])(
    "a body is taken whatever follows its type: %s",
    async (type) => {
      const { url } = await startTestAdmin();
      const path = `/approvals/${APPROVAL_ID}/decision`;
      const got = await ask(url, path, { method: "POST", text: '{"approve":true}', headers: { "content-type": type } });
      expect([got.status, got.json.state]).toEqual([200, "approved"]);
    },
  );

  it.each([
    ["GET /admin/v1/nothing/../health HTTP/1.1", "localhost", 404],
    ["GET /admin/v1/%2e%2e/v1/health HTTP/1.1", "localhost", 404],
    ["GET /admin\\v1/health HTTP/1.1", "localhost", 400],
    ["GET /admin/v1/health HTTP/1.1", "local host", 403],
    ["GET /admin/v1/health HTTP/1.1", "[", 403],
    ["GET http://[/admin/v1/health HTTP/1.1", "localhost", 400],
    ["GET /admin/v1/health HTTP/1.0", "", 403],
  ])("%s for the host %j is %s, with a problem document", async (line, host, status) => {
    const { url } = await startTestAdmin();
    const head = [line, `Host: ${host}`, `Authorization: Bearer ${keyOf("admin")}`, "Connection: close"];
    const answer = await raw(url, `${head.join("\r\n")}\r\n\r\n`);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain("content-type: application/problem+json");
    expect(answer).toContain("cache-control: no-store");
  });

  it("a body of unknown length that is too large is refused", async () => {
    const { url } = await startTestAdmin();
    const head = [
      `POST ${url.pathname}/approvals/${APPROVAL_ID}/decision HTTP/1.1`,
      `Host: ${url.host}`,
      `Authorization: Bearer ${keyOf("admin")}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    const piece = "x".repeat(0x10000);
    const answer = await raw(url, `${head.join("\r\n")}\r\n\r\n10000\r\n${piece}\r\n10000\r\n${piece}\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("content/message_too_large");
  });

  it.each([
    ["another host", { host: "evil.example" }],
    ["another page", { origin: "https://evil.example" }],
    ["a page without a name", { origin: "null" }],
  ])("%s is refused, with and without a key", async (_, headers) => {
    const { url } = await startTestAdmin();
    for (const key of [undefined, keyOf("admin")])
      expectProblem(await ask(url, "/health", { key, headers }), 403, "auth/access_denied");
    expectProblem(await ask(url, "/openapi.json", { headers }), 403, "auth/access_denied");
  });

  it("names of the file are for callers; operators on the same machine need none, and may use them", async () => {
    const { url } = await startTestAdmin({}, { hosts: ["mcp.example.com"] });
    await expect(ask(url, "/health")).resolves.toMatchObject({ status: 200 });
    await expect(ask(url, "/health", { headers: { host: "mcp.example.com" } })).resolves.toMatchObject({ status: 200 });
    await expect(ask(url, "/health", { headers: { host: "evil.example" } })).resolves.toMatchObject({ status: 403 });
  });

  it("an address that shows many wrong keys is told to wait, unless it shows a right one", async () => {
    const { url } = await startTestAdmin();
    const statuses: number[] = [];
    for (let turn = 0; turn < 25; turn++) statuses.push((await ask(url, "/health", { key: `guess-${turn}` })).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses).toContain(429);
    // The document needs no key.
    await expect(ask(url, "/openapi.json", { key: undefined })).resolves.toMatchObject({ status: 200 });
    await expect(ask(url, "/health")).resolves.toMatchObject({ status: 200 });
  });

  it("a good key is never counted", async () => {
    const { url } = await startTestAdmin();
    for (let turn = 0; turn < 30; turn++) await expect(ask(url, "/limits")).resolves.toMatchObject({ status: 200 });
  });
});

describe("answers", () => {
  it("a page says where the next one begins", async () => {
    const rows = ["4", "3", "2"].map((end) => ({ ...INCIDENT, id: `${INCIDENT_ID.slice(0, 25)}${end}` }));
    const { incidents, asked } = someIncidents(rows);
    const { url } = await startTestAdmin({ controls: { incidents } });
    const first = await ask(url, "/incidents?limit=2&tool=shop__refund&since=2026-11-16T13:00:00%2B01:00");
    expect(first.json).toMatchObject({
      items: [{ id: rows[0]?.id }, { id: rows[1]?.id }],
      next: `${rows[1]?.id}.${Date.parse(AT)}`,
    });
    const second = await ask(url, `/incidents?limit=2&before=${first.json.next}`);
    expect(second.json).toMatchObject({ items: [{ id: rows[2]?.id }], next: null });
    expect(asked).toEqual([
      {
        filter: expect.objectContaining({ tool: "shop__refund", since: AT, until: undefined }),
        page: { limit: 3, before: undefined },
      },
      { filter: expect.objectContaining({ tool: undefined }), page: { limit: 3, before: rows[1]?.id, beforeAt: AT } },
    ]);
  });

  it("HEAD has no body", async () => {
    const { url } = await startTestAdmin();
    const got = await ask(url, "/health", { method: "HEAD" });
    expect([got.status, got.text, got.headers["x-content-type-options"]]).toEqual([200, "", "nosniff"]);
  });

  it("nothing is there where the parts are off", async () => {
    const { url } = await startTestAdmin({
      keys: undefined,
      controls: { incidents: undefined, approvals: undefined, breakers: undefined },
    });
    for (const path of ["/incidents", "/incident-classes", "/approvals", "/breakers", "/keys"])
      expect((await ask(url, path)).json).toEqual({ items: [], next: null });
    expectProblem(await ask(url, `/incidents/${INCIDENT_ID}`), 404, "core/not_found");
    expectProblem(await ask(url, "/keys", { method: "POST", body: { id: "web" } }), 501, "core/unsupported");
    const health = await ask(url, "/health");
    expect(health.json.parts).toEqual({
      database: "off",
      limits: "works",
      approvals: "off",
      breakers: "off",
      incidents: "off",
    });
  });

  it("health names what is away", async () => {
    const { url } = await startTestAdmin({ areLimitsAway: () => true });
    expect((await ask(url, "/health")).json).toEqual({
      status: "degraded",
      name: "test-gateway",
      version: "0.1.0",
      startedAt: "2026-11-16T12:00:00.000Z",
      requests: 0,
      failures: 0,
      store: "memory",
      why: [{ part: "limits", since: "2026-11-16T12:00:00.000Z", text: "Calls with a limit are refused." }],
      parts: { database: "off", limits: "away", approvals: "works", breakers: "works", incidents: "works" },
      incidents: { waiting: 2, dropped: 1 },
    });
  });
});

describe("stores that fail", () => {
  const failing = (error: unknown) => {
    const { incidents } = someIncidents();
    return { ...incidents, reader: { ...incidents.reader, search: () => Promise.reject(error) } };
  };

  it.each([
    ["a refused connection", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
    ["a database that stops", Object.assign(new Error("terminating"), { code: "57P01" })],
    ["a pool without an answer", new Error("timeout exceeded when trying to connect")],
  ])("%s is 503 with a wait, and an incident", async (_, error) => {
    const { url, reported } = await startTestAdmin({ controls: { incidents: failing(error) } });
    const got = await ask(url, "/incidents");
    expectProblem(got, 503, "core/unavailable");
    expect(got.headers["retry-after"]).toBe("1");
    expect(readFault(got.json.fault)).toMatchObject({ effect: "none", recourse: [{ do: "retry", afterMs: 1_000 }] });
    expect(reported).toMatchObject([
      { cause: error, method: "GET /admin/v1/incidents", fault: { incident: got.json.fault.incident } },
    ]);
    expect(got.text).not.toContain(error.message);
  });

  it.each([
    ["a bug of JavaScript", new TypeError("x is not a function of s3cret-thing")],
    ["a bug of SQL", Object.assign(new Error('relation "s3cret" does not exist'), { code: "42P01" })],
  ])("%s is 500 with an incident, and its text stays inside", async (_, error) => {
    const { url, reported } = await startTestAdmin({ controls: { incidents: failing(error) } });
    const got = await ask(url, "/incidents");
    expectProblem(got, 500, "core/internal");
    expect(got.json.instance).toBe(`urn:recourse:incident:${got.json.fault.incident}`);
    expect(reported).toMatchObject([{ cause: error }]);
    expect(got.text).not.toContain("s3cret");
  });
});

/** Sends text as it is and gives what comes back within a moment. */
function raw(url: URL, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(text));
    let answer = "";
    socket.on("data", (piece) => {
      answer += piece;
      if (answer.includes("}}") || answer.endsWith("}")) socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
