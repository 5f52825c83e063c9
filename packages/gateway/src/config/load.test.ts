import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toFault } from "@recourse/core/reasons";
import { describe, expect, it, onTestFinished } from "vitest";
import { problemLine } from "./document.ts";
import { type LoadResult, loadConfig } from "./load.ts";

const FIRST = `store: memory
authentication: none
upstreams:
  shop: { url: "http://127.0.0.1:3000/mcp" }
`;
const HASH = "a".repeat(64);

function load(text: string, environment: Readonly<Record<string, string>> = {}): LoadResult {
  return loadConfig(text, { environment, file: "/etc/gateway/gateway.yaml" });
}

/** The lines that a person reads. */
function linesOf(text: string, environment: Readonly<Record<string, string>> = {}): readonly string[] {
  const loaded = load(text, environment);
  return loaded.ok ? [] : loaded.problems.map((problem) => problemLine("gateway.yaml", problem));
}

function warningsOf(text: string): readonly string[] {
  const loaded = load(text);
  expect(loaded).toMatchObject({ ok: true });
  return loaded.warnings.map((problem) => problemLine("gateway.yaml", problem));
}

function configOf(text: string, environment: Readonly<Record<string, string>> = {}) {
  const loaded = load(text, environment);
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problemLine("gateway.yaml", problem)).join("\n"));
  return loaded.config;
}

describe("a file without problems", () => {
  it("gets its defaults", () => {
    expect(configOf(FIRST)).toEqual({
      listen: { host: "127.0.0.1", port: 8080 },
      path: "/mcp",
      name: "gateway",
      publicUrl: undefined,
      hosts: undefined,
      origins: undefined,
      proxies: [],
      store: { mode: "memory" },
      authentication: "none",
      keys: [],
      jwt: undefined,
      keyCacheMs: 60_000,
      upstreams: [
        {
          kind: "http",
          name: "shop",
          prefix: "shop__",
          foreignText: undefined,
          speaksFaults: false,
          trustAnnotations: false,
          dialect: undefined,
          timeoutMs: 30_000,
          maxCalls: 1_024,
          honoursKeys: false,
          credential: { kind: "none" },
          lists: "gateway",
          url: "http://127.0.0.1:3000/mcp",
          era: "auto",
        },
      ],
      tools: [],
      limits: { address: undefined, key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" },
      away: { limits: "closed", replicas: 1 },
      idempotency: { keepMs: 3_600_000 },
      questions: { waitMs: 300_000 },
      approvals: undefined,
      breaker: { failures: 5, pauseMs: 1_000, maxPauseMs: 30_000 },
      incidents: { keepMs: 2_592_000_000, samplesPerMinute: 20, callers: "keep", texts: "keep" },
      admin: undefined,
      maxRequestBytes: 4_194_304,
      maxAnswerBytes: 16_777_216,
      maxHeldBytes: 268_435_456,
      maxStreams: 8_192,
      deadlineMs: 60_000,
      drainMs: 25_000,
      telemetry: { otlp: undefined, prometheus: true, logLevel: "info", listen: undefined, public: true },
    });
  });

  it("may name addresses of IPv6 with and without brackets", () => {
    const { hosts } = configOf(`${FIRST}hosts: ["::1", "fd00::7", "[fd00::8]:8080", "10.1.2.3", "gateway:8080"]\n`);
    expect(hosts).toEqual(["[::1]", "[fd00::7]", "[fd00::8]:8080", "10.1.2.3", "gateway:8080"]);
  });

  it("may use every option", () => {
    const config = configOf(
      `
$schema: ./gateway.schema.json
name: acme
listen: "[::]:9000"
path: /api/mcp
publicUrl: https://mcp.example.com
hosts: [mcp.example.com]
origins: any
store: { redis: ["redis://a:6379", "redis://b:6379"], cluster: true, postgres: "\${DATABASE_URL}" }
keys:
  - { id: ci, tenant: acme, sha256: "${HASH.toUpperCase()}", tools: ["shop__*"], scopes: [read], entitlements: [gold], dialect: erlmcp }
jwt: { issuer: "https://id.example.com/", audience: gateway, tenantClaim: org }
keyCache: 5s
upstreams:
  shop: { url: "https://shop.internal/mcp", credential: { bearer: "\${SHOP_TOKEN}" }, idempotency: honoured, era: 2025-11-25, timeout: 1.5s }
  files: { command: [node, server.js], environment: { LEVEL: 3, TOKEN: "\${SHOP_TOKEN}" }, per: caller, maxChildren: 4, idle: 30s, cwd: files }
  crm: { openapi: ./crm.yaml, server: "https://crm.internal", credential: { header: X-Api-Key, value: "key-of-the-crm" }, foreignText: hide, dialect: onx, speaksFaults: true, prefix: "crm." }
tools:
  shop__refund: { scopes: [refund], entitlement: gold, cost: 5 }
  "*_internal": { hidden: true }
limits:
  address: 50/s
  key: { rate: 20/s, burst: 40 }
  tenant: 600/m
  cost: { rate: 100/m, burst: 100 }
  tools: { shop__refund: { rate: 1/s, burst: 1 } }
  mode: exact
away: { limits: local, replicas: 4 }
maxRequest: 1MiB
maxAnswer: 2MiB
maxHeld: 64MiB
deadline: 2m
drain: 500ms
telemetry: { otlp: "http://127.0.0.1:4318", prometheus: false, log: debug, listen: "9002", public: false }
`,
      { DATABASE_URL: "postgres://app:hunter22@db/gateway", SHOP_TOKEN: "token-of-the-shop" },
    );
    expect(config).toMatchObject({
      listen: { host: "::", port: 9000 },
      origins: "any",
      store: {
        mode: "shared",
        redis: ["redis://a:6379", "redis://b:6379"],
        cluster: true,
        postgres: "postgres://app:hunter22@db/gateway",
      },
      keys: [{ id: "ci", sha256: HASH, dialect: "erlmcp", scopes: ["read"] }],
      jwt: { jwksUrl: "https://id.example.com/.well-known/jwks.json", tenantClaim: "org", tools: ["*"] },
      keyCacheMs: 5_000,
      upstreams: [
        {
          kind: "http",
          credential: { kind: "bearer", token: "token-of-the-shop" },
          honoursKeys: true,
          timeoutMs: 1_500,
        },
        {
          kind: "stdio",
          command: ["node", "server.js"],
          environment: { LEVEL: "3", TOKEN: "token-of-the-shop" },
          cwd: "/etc/gateway/files",
          per: "caller",
          maxChildren: 4,
          idleMs: 30_000,
        },
        {
          kind: "openapi",
          document: "/etc/gateway/crm.yaml",
          server: "https://crm.internal",
          allowPrivate: undefined,
          credential: { kind: "header", name: "X-Api-Key", value: "key-of-the-crm" },
          prefix: "crm.",
        },
      ],
      limits: {
        address: { perSecond: 50, burst: 50 },
        key: { perSecond: 20, burst: 40 },
        tenant: { perSecond: 10, burst: 10 },
        tools: [{ pattern: "shop__refund", rate: { perSecond: 1, burst: 1 } }],
        mode: "exact",
      },
      away: { limits: "local", replicas: 4 },
      drainMs: 500,
    });
  });

  it("takes numbers and switches from variables, and digits as text where a text is wanted", () => {
    const config = configOf(
      `store: memory
listen: 9000
keys: [{ id: ci, tenant: 42, sha256: ${"1".repeat(64)} }]
away: { replicas: "\${REPLICAS}" }
telemetry: { prometheus: "\${METRICS:-false}" }
upstreams: { shop: { url: "http://127.0.0.1:1/mcp" } }
`,
      { REPLICAS: "1" },
    );
    expect(config).toMatchObject({
      listen: { host: "127.0.0.1", port: 9000 },
      keys: [{ tenant: "42", sha256: "1".repeat(64) }],
      away: { replicas: 1 },
      telemetry: { prometheus: false },
    });
  });

  it("may repeat itself with anchors", () => {
    const config = configOf(`store: memory
authentication: none
upstreams:
  one: { url: "http://127.0.0.1:1/mcp", credential: &own { bearer: token-of-both } }
  two: { url: "http://127.0.0.1:2/mcp", credential: *own }
`);
    expect(config.upstreams.map(({ credential }) => credential)).toEqual([
      { kind: "bearer", token: "token-of-both" },
      { kind: "bearer", token: "token-of-both" },
    ]);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["", ["gateway.yaml:1:1 expected a mapping with the options of the gateway."]],
    ["- a\n", ["gateway.yaml:1:1 expected a mapping with the options of the gateway."]],
    [
      "store: memory\nupstreams:\n\tshop: x\n",
      ["gateway.yaml:3:1 This is not valid YAML: Tabs are not allowed as indentation. Indent with spaces."],
    ],
    ["store: memory\nstore: memory\n", ["gateway.yaml:2:1 This key is written twice."]],
  ])("says where in %j", (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it("does not quote the file", () => {
    expect(linesOf("store: memory\nkey: 'sk-live-12345678' rest\n").join()).not.toContain("sk-live");
    expect(linesOf("store: *sk-live-12345678\n").join()).not.toContain("sk-live");
    expect(linesOf("store: !sk-live-12345678 x\n").join()).not.toContain("sk-live");
  });

  it("refuses a file that is no configuration by its size", () => {
    expect(linesOf("#".repeat(2_000_000))).toEqual([
      "gateway.yaml:1:1 The file is larger than 1 MiB. Check that it is the right file.",
    ]);
  });
});

describe("values", () => {
  it("are all checked at once, each at its place", () => {
    expect(
      linesOf(`stoer: memory
listen: nowhere
limits:
  key: { rate: 20, burst: 0 }
  tenant: fast
upstreams:
  shop: { url: "shop.internal", timeout: 30 }
  Files: { command: [] }
  crm:
    openapi: ./crm.yaml
    credental: { bearer: x }
`),
    ).toEqual([
      "gateway.yaml:1:1 stoer: there is no such option. Did you mean store?",
      "gateway.yaml:1:1 store: is missing. It takes memory, or { redis: …, postgres: … }.",
      "gateway.yaml:2:9 listen: expected a port, or host:port.",
      "gateway.yaml:4:16 limits.key.rate: expected a rate such as 20/s, 100/m or 1000/h.",
      "gateway.yaml:4:27 limits.key.burst: expected an integer of at least 1.",
      "gateway.yaml:5:11 limits.tenant: expected a rate such as 20/s, 100/m or 1000/h.",
      "gateway.yaml:7:16 upstreams.shop.url: expected a URL with http or https.",
      "gateway.yaml:7:42 upstreams.shop.timeout: expected a duration such as 500ms, 30s, 15m or 1h.",
      "gateway.yaml:8:3 upstreams.Files: expected a name of lower-case letters, digits and dashes, 32 at most as the name.",
      "gateway.yaml:11:5 upstreams.crm.credental: there is no such option. Did you mean credential?",
    ]);
  });

  it("do not keep the others from being compared", () => {
    expect(
      linesOf(`${FIRST}listen: 127.0.0.1:70000
maxStreams: 1.5
keyCache: soon
telemetry: { prometheus: 1, log: loud, otlp: "\${NOWHERE}" }
limits: { key: fast }
proxies: [{}, 0.0.0.0/0]
keys: [{ id: ci }, 7, { id: ci, sha256: "${HASH}" }]
`),
    ).toEqual([
      "gateway.yaml:2:1 authentication: keys and jwt have no effect without authentication. Remove them, or write authentication: required.",
      "gateway.yaml:5:1 listen: ports go up to 65535. Take another port.",
      "gateway.yaml:6:13 maxStreams: expected an integer of at least 1.",
      "gateway.yaml:7:11 keyCache: expected a duration such as 500ms, 30s, 15m or 1h.",
      "gateway.yaml:8:26 telemetry.prometheus: expected true or false.",
      "gateway.yaml:8:34 telemetry.log: expected debug, info, warn, error or silent.",
      `gateway.yaml:8:46 telemetry.otlp: the variable NOWHERE is not set. Set it, or write a default: \${NOWHERE:-…}.`,
      "gateway.yaml:9:16 limits.key: expected a rate such as 20/s, 100/m or 1000/h.",
      "gateway.yaml:10:11 proxies[0]: expected a string that is not empty.",
      "gateway.yaml:10:15 proxies[1]: expected an address, or a network such as 10.0.0.0/8, that is not the whole internet. Write the addresses of your own proxies only: what they say is believed.",
      "gateway.yaml:11:8 keys[0].sha256: is missing. It takes 64 hexadecimal digits.",
      "gateway.yaml:11:20 keys[1]: expected an object with id, sha256.",
      "gateway.yaml:11:25 keys[2].id: This id is written twice, so limits would count two callers as one. Remove one of them, or give it another value.",
    ]);
  });

  it("are checked by their patterns, however long they are", () => {
    expect(linesOf(`${FIRST}drain: postgres://app:password@database.example/gateway\n`)).toEqual([
      "gateway.yaml:5:8 drain: expected a duration such as 500ms, 30s, 15m or 1h.",
    ]);
  });

  it("lists the options where none is near", () => {
    expect(linesOf(`${FIRST}away: { everything: closed }\n`)).toEqual([
      "gateway.yaml:5:9 away.everything: there is no such option. Options here: limits, replicas.",
    ]);
  });

  it.each(["__proto__", "constructor"])("refuses the key %s", (key) => {
    expect(linesOf(`${FIRST}${key}: { a: 1 }\n`)[0]).toMatch(/^gateway\.yaml:5:1 .*: there is no such option\./);
  });

  it.each([
    ["store: disk", "store: expected memory, or { redis: …, postgres: … }."],
    ["store: { redis: redis://a }", "store.postgres: is missing. It takes a postgres:// URL."],
    ["store: memory\nkeys: ci", "keys: expected a list of keys."],
    ["store: memory\nauthentication: off", "authentication: expected required or none."],
    [
      `${FIRST}proxies: [10.0.0.0/8, 0.0.0.0/0]`,
      "proxies[1]: expected an address, or a network such as 10.0.0.0/8, that is not the whole internet.",
    ],
    ["store: memory\nproxies: all", "proxies: expected a list of addresses, or networks such as 10.0.0.0/8."],
    ["store: memory\nhosts: all", "hosts: expected a list of host names, or any."],
    ["store: memory\nupstreams: {}", "upstreams: expected at least one upstream, such as shop: { url: https://… }."],
  ])("says what is expected in %s", (text, line) => {
    expect(linesOf(text).join("\n")).toContain(line);
  });
});

describe("variables", () => {
  const FILE = `store: memory
authentication: none
upstreams:
  shop:
    url: http://127.0.0.1:1/mcp
    credential: { bearer: "\${SHOP_TOKEN}" }
`;

  it("that are missing are named with their line, and no others are shown", () => {
    expect(linesOf(FILE, { OTHER: "value-of-other" })).toEqual([
      `gateway.yaml:6:27 upstreams.shop.credential.bearer: the variable SHOP_TOKEN is not set. Set it, or write a default: \${SHOP_TOKEN:-…}.`,
    ]);
  });

  it("never appear in problems", () => {
    const text = FILE.replace("http://127.0.0.1:1/mcp", `"\${SHOP_TOKEN}"`);
    expect(linesOf(text, { SHOP_TOKEN: "tok-7f3a9c1e55" })).toEqual([
      "gateway.yaml:5:10 upstreams.shop.url: expected a URL with http or https.",
    ]);
  });

  it("are hidden from every fault once they are secrets of the file", () => {
    configOf(FILE, { SHOP_TOKEN: "q9-secret-of-shop-q9" });
    const text = FILE.replace(
      "store: memory",
      'store: { redis: "redis://:pass-of-redis@h", postgres: "postgres://u:p%40ss-of-pg@h/d" }',
    );
    configOf(text, { SHOP_TOKEN: "q9-secret-of-shop-q9" });
    for (const secret of ["q9-secret-of-shop-q9", "pass-of-redis", "p@ss-of-pg"]) {
      const fault = toFault(new Error(`upstream said ${secret}`), { foreignText: "quote" });
      expect(JSON.stringify(fault)).not.toContain(secret);
    }
  });

  it("need a name", () => {
    expect(linesOf(FILE.replace("SHOP_TOKEN", "shop token"))).toEqual([
      `gateway.yaml:6:27 upstreams.shop.credential.bearer: the text between \${ and } is not the name of a variable. Write \${NAME}, \${NAME:-default} or \${file:path}, and $\${ for the text \${ itself.`,
    ]);
  });
});

describe("values from files", () => {
  function setUp(files: Readonly<Record<string, string>>, value: string) {
    const folder = mkdtempSync(join(tmpdir(), "values-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const text = `${FIRST}    credential: { bearer: "${value}" }\n`.replace(
      '{ url: "http://127.0.0.1:3000/mcp" }',
      '\n    url: "http://127.0.0.1:3000/mcp"',
    );
    return { folder, text, loaded: loadConfig(text, { environment: {}, file: join(folder, "gateway.yaml") }) };
  }

  it("are read beside the configuration file, are secrets, and are listed", () => {
    const { loaded, folder } = setUp({ token: "x7-token-in-a-file-x7\n" }, `\${file:token}`);
    expect(loaded).toMatchObject({
      ok: true,
      config: { upstreams: [{ credential: { kind: "bearer", token: "x7-token-in-a-file-x7" } }] },
      secretFiles: [{ path: join(folder, "token") }],
    });
    const quoted = JSON.stringify(toFault(new Error("it is x7-token-in-a-file-x7"), { foreignText: "quote" }));
    expect(quoted).not.toContain("x7-token-in-a-file-x7");
    expect(JSON.stringify(loaded.secretFiles)).not.toContain("x7-token");
  });

  it("are secrets wherever they stand, and whatever stands around them", () => {
    setUp({ token: "y8-token-in-a-file-y8" }, `Token \${file:token}`);
    const quoted = JSON.stringify(toFault(new Error("it is y8-token-in-a-file-y8"), { foreignText: "quote" }));
    expect(quoted).not.toContain("y8-token-in-a-file-y8");
  });

  it("have problems with their place, which never quote the file", () => {
    const { loaded, folder } = setUp({ token: "z9-first-line\0".repeat(9_000) }, `\${file:token}`);
    if (loaded.ok) throw new Error("it was taken");
    expect(loaded.problems.map((one) => problemLine("gateway.yaml", one))).toEqual([
      "gateway.yaml:6:27 upstreams.shop.credential.bearer: the file token is larger than 64 KiB. Check that it is the right file.",
    ]);
    expect(loaded.secretFiles).toEqual([{ path: join(folder, "token"), state: "is larger than 64 KiB." }]);
    expect(setUp({}, `\${file:/nowhere/token}`).loaded).toMatchObject({
      ok: false,
      problems: [{ message: "the file /nowhere/token does not exist." }],
    });
  });

  it("can be numbers and switches", () => {
    const folder = mkdtempSync(join(tmpdir(), "values-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "streams"), "12\n");
    const text = `${FIRST}maxStreams: "\${file:streams}"\n`;
    expect(loadConfig(text, { environment: {}, file: join(folder, "gateway.yaml") })).toMatchObject({
      ok: true,
      config: { maxStreams: 12 },
    });
  });
});

const webhookSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 9).toString("base64")}`;
const notifying = (url: string, bytes = 32) =>
  `approvals: { tools: [shop__x], notify: { url: "${url}", secret: "${webhookSecret(bytes)}" } }\n`;

describe("options that contradict each other", () => {
  const TOKEN_CLIENT = {
    tokenUrl: "https://login.example/token",
    clientId: "gateway",
    clientSecret: "secret-of-this-test",
  };
  const withFetched = (form: "clientCredentials" | "exchange", changes: object = {}) =>
    FIRST.replace(" }", `, credential: { ${form}: ${JSON.stringify({ ...TOKEN_CLIENT, ...changes })} } }`);
  const JWT = 'publicUrl: "https://t.example"\njwt: { issuer: "https://login.example", audience: tools }\n';
  const KEYED = `store: memory\nkeys: [{ id: ci, sha256: "${HASH}" }]\nupstreams: { shop: { url: "http://127.0.0.1:1/mcp" } }\n`;

  it.each([
    [
      "store: memory\nupstreams: { shop: { url: http://127.0.0.1:1 } }",
      "gateway.yaml:1:1 store: no one can call: there is no key and no jwt. Run recourse keys add, or write authentication: none.",
    ],
    [KEYED.replace("}]", `}, { id: ci, sha256: "${"b".repeat(64)}" }]`), "keys[1].id: This id is written twice"],
    [KEYED.replace("}]", `}, { id: two, sha256: "${HASH}" }]`), "keys[1].sha256: Two keys have the same hash"],
    [`${KEYED}authentication: none\n`, "authentication: keys and jwt have no effect"],
    [`${KEYED}jwt: { issuer: "https://id", audience: a }\n`, "jwt: tokens need publicUrl"],
    [
      `${KEYED}${notifying("http://hooks.example.com/a")}`,
      "approvals.notify.url: messages would be sent over plain http",
    ],
    [`${KEYED}${notifying("https://ann:pw@hooks.example.com/a")}`, "approvals.notify.url: a URL must not hold a user"],
    [`${KEYED}${notifying("https://hooks.example.com", 65)}`, "approvals.notify.secret: expected whsec_ and 24 to 64"],
    [`${KEYED}${notifying("https://hooks.example.com", 10)}`, "approvals.notify.secret: expected whsec_ and 24 to 64"],
    [
      `${KEYED}publicUrl: https://a\njwt: { issuer: "http://id.example", audience: a }\n`,
      "jwt.issuer: the keys of the issuer would be read over plain http",
    ],
    [
      FIRST.replace("}", ", command: [a] }"),
      "gateway.yaml:4:46 upstreams.shop.command: url and command exclude each other.",
    ],
    [
      FIRST.replace(/\{ url.*\}/, "{ timeout: 1s }"),
      "gateway.yaml:4:3 upstreams.shop: url, command or openapi is missing.",
    ],
    [
      `${FIRST}hosts: [ok.example, "https://mcp.example.com"]\n`,
      "gateway.yaml:5:21 hosts[1]: expected a host name or an",
    ],
    [`${FIRST}hosts: ["fe80::1%eth0"]\n`, "gateway.yaml:5:9 hosts[0]: expected a host name or an address"],
    [`${FIRST}origins: ["https://app.example.com/page"]\n`, "gateway.yaml:5:11 origins[0]: expected an origin"],
    [`${FIRST}telemetry: { public: false }\n`, "gateway.yaml:5:14 telemetry.public: no address would have /health"],
    [`${FIRST}telemetry: { listen: "0.0.0.0:70000" }\n`, "gateway.yaml:5:14 telemetry.listen: ports go up to 65535."],
    [FIRST.replace(" }", ", per: caller }"), "upstreams.shop.per: this option belongs to upstreams with command."],
    [
      `${FIRST}  other: { url: "http://127.0.0.1:2", prefix: shop__ }\n`,
      "gateway.yaml:5:39 upstreams.other.prefix: the upstream shop has the same prefix",
    ],
    [
      `${FIRST}  other: { url: "http://127.0.0.1:2", prefix: shop__eu_ }\n`,
      "gateway.yaml:5:39 upstreams.other.prefix: it begins with the prefix of the upstream shop",
    ],
    [
      `${FIRST}  other: { url: "http://127.0.0.1:2", prefix: "" }\n`,
      "gateway.yaml:5:39 upstreams.other.prefix: the prefix of the upstream shop begins with it",
    ],
    [FIRST.replace(" }", ", credential: {} }"), "the credential is empty"],
    [FIRST.replace(" }", ", credential: { header: X-Key } }"), "header and value belong together"],
    [
      FIRST.replace(" }", ", credential: { bearer: key-of-this-test, header: X-Key } }"),
      "bearer and header exclude each other",
    ],
    [
      "store: memory\nauthentication: none\nupstreams: { f: { command: [a], credential: { bearer: key-of-this-test } } }",
      "programs get no credential",
    ],
    [
      withFetched("exchange"),
      "upstreams.shop.credential.exchange: no caller has a token to exchange: there is no jwt.",
    ],
    [
      withFetched("clientCredentials", { tokenUrl: "http://login.example/token" }),
      "upstreams.shop.credential.clientCredentials.tokenUrl: secrets and tokens would be sent over plain http",
    ],
    [
      withFetched("clientCredentials", { tokenUrl: "https://me:pass@login.example/token" }),
      "upstreams.shop.credential.clientCredentials.tokenUrl: a URL must not hold a user or a password.",
    ],
    [
      FIRST.replace(" }", `, credential: { bearer: key-of-this-test, exchange: ${JSON.stringify(TOKEN_CLIENT)} } }`),
      "bearer and exchange exclude each other",
    ],
    [
      FIRST.replace(" }", ", credential: { clientCredentials: { clientId: a } } }"),
      "upstreams.shop.credential.clientCredentials.tokenUrl: is missing.",
    ],
    [
      FIRST.replace("127.0.0.1", "user:pass@127.0.0.1"),
      "upstreams.shop.url: a URL must not hold a user or a password.",
    ],
    [
      "store: memory\nauthentication: none\nupstreams: { crm: { openapi: 'https://user:pass@crm.example/openapi.json' } }",
      "upstreams.crm.openapi: a URL must not hold a user or a password.",
    ],
    [
      FIRST.replace("url:", "allowPrivate: true, url:"),
      "upstreams.shop.allowPrivate: this option belongs to upstreams with openapi.",
    ],
    [
      `${FIRST}tools: { shp__refund: { hidden: true } }\n`,
      "gateway.yaml:5:10 tools.shp__refund: no upstream has tools with such a name. Names begin with the prefix of their upstream: shop__*.",
    ],
    [KEYED.replace("}]", ', tools: ["shop__*", "crm__*"] }]'), "keys[0].tools[1]: no upstream has tools"],
    [
      `${FIRST}limits: { cost: 1/s }\ntools: { "shop__*": { cost: 5 } }\n`,
      "tools.shop__*.cost: a call costs more than the burst",
    ],
    [`${FIRST}away: { replicas: 3 }\n`, "away.replicas: store: memory is one process."],
    [`${FIRST}maxHeld: 1MiB\n`, "maxHeld: it is smaller than maxAnswer."],
    [
      FIRST.replace(" }", ", lists: caller }"),
      "upstreams.shop.lists: callers cannot be distinguished: authentication is none.",
    ],
    [`${FIRST}listen: 127.0.0.1:70000\n`, "listen: ports go up to 65535."],
  ])("%#: are refused", (text, line) => {
    expect(linesOf(text).join("\n")).toContain(line);
  });

  it.each([
    [
      `${FIRST}telemetry: { public: false, prometheus: false }\n`,
      "telemetry.public: no probe can ask for /health and /ready.",
    ],
    [`${FIRST}tools: { "shop__*": { cost: 5 } }\n`, "tools.shop__*.cost: cost has no effect without limits.cost."],
    [
      FIRST.replace(
        '"http://127.0.0.1:3000/mcp" }',
        '"http://shop.internal/mcp", credential: { bearer: key-of-this-test } }',
      ),
      "upstreams.shop.url: the credential is sent over plain http",
    ],
    [`${FIRST}listen: 0.0.0.0:8080\n`, "authentication: anyone who reaches this address can call every tool."],
    [`${FIRST}away: { limits: open }\n`, "away.limits: memory is never away"],
    [
      `${withFetched("exchange").replace("authentication: none\n", "")}${JWT}keys: [{ id: ci, sha256: ${"ab".repeat(32)} }]\n`,
      "upstreams.shop.credential.exchange: callers with an API key have no token to exchange",
    ],
    [
      KEYED.replace('mcp" }', 'mcp", era: 2026-07-28, lists: caller }'),
      "upstreams.shop.lists: the upstream cannot distinguish callers",
    ],
    [
      KEYED.replace('url: "http://127.0.0.1:1/mcp"', "command: [a], lists: caller"),
      "upstreams.shop.lists: the upstream cannot distinguish callers",
    ],
    [
      KEYED.replace('url: "http://127.0.0.1:1/mcp"', 'openapi: "http://127.0.0.1:1/api.json", lists: caller'),
      "upstreams.shop.lists: an API lists the same to every caller.",
    ],
    [`${KEYED}tools: { "shop__*": { scopes: [write] } }\n`, "tools.shop__*.scopes: no key has all of these scopes."],
    [`${KEYED}tools: { "shop__*": { entitlement: gold } }\n`, "tools.shop__*.entitlement: no key has it."],
    [
      'store: { redis: "redis://h", postgres: "postgres://h" }\naway: { limits: local }\nupstreams: { shop: { url: "https://s" } }\n',
      "away.limits: each process would count the whole limit",
    ],
  ])("%#: are warned about where they only have no effect or a risk", (text, line) => {
    expect(warningsOf(text).join("\n")).toContain(line);
  });

  it.each([
    KEYED.replace('mcp" }', 'mcp", lists: caller }'),
    KEYED.replace('url: "http://127.0.0.1:1/mcp"', "command: [a], per: caller, lists: caller"),
    `${withFetched("exchange").replace("authentication: none\n", "").replace(" } }", " }, era: 2026-07-28, lists: caller }")}${JWT}`,
  ])("%#: takes lists for each caller where callers can be told apart", (text) => {
    expect(warningsOf(text).join("\n")).not.toContain("lists");
  });

  it("takes a receiver of messages about approvals, here or over https, and hides its secret", () => {
    for (const url of ["http://127.0.0.1:9/hook", "http://[::1]:9/hook", "https://hooks.example.com/a"]) {
      const config = configOf(`${KEYED}${notifying(url)}`);
      expect(config.approvals?.notify).toEqual({ url, secret: webhookSecret(32) });
    }
    const quoted = JSON.stringify(toFault(new Error(`it is ${webhookSecret(32)}`), { foreignText: "quote" }));
    expect(quoted).not.toContain(webhookSecret(32));
  });

  it("takes credentials that are fetched, and hides their secrets", () => {
    const text = withFetched("exchange", {
      scope: "a b",
      audience: "shop",
      auth: "body",
      clientSecret: "secret-to-hide",
    });
    const loaded = loadConfig(`${text.replace("authentication: none\n", "")}${JWT}`, { environment: {} });
    expect(loaded).toMatchObject({ ok: true, warnings: [] });
    expect(loaded.ok && loaded.config.upstreams[0]?.credential).toEqual({
      kind: "exchange",
      ...TOKEN_CLIENT,
      clientSecret: "secret-to-hide",
      scope: "a b",
      audience: "shop",
      auth: "body",
    });
    const quoted = JSON.stringify(toFault(new Error("it is secret-to-hide"), { foreignText: "quote" }));
    expect(quoted).not.toContain("secret-to-hide");
    const own = loadConfig(withFetched("clientCredentials", { tokenUrl: "http://127.0.0.1:1/token" }), {
      environment: {},
    });
    expect(own.ok && own.config.upstreams[0]?.credential).toMatchObject({ kind: "clientCredentials", auth: "basic" });
  });

  it.each(["http://localhost:1/mcp", "http://[::1]:1/mcp", "http://127.8.0.1/mcp", "https://shop.internal/mcp"])(
    "takes a credential for %s without a warning",
    (url) => {
      expect(warningsOf(FIRST.replace(/"http.*" \}/, `"${url}", credential: { bearer: key-of-this-test } }`))).toEqual(
        [],
      );
    },
  );
});
