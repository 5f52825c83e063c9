import { hostOf, PLANTED, PORT, REFUSED } from "./service.mjs";
export const STD = [
  "s429ra",
  "s429",
  "s401",
  "s403",
  "s404",
  "s409",
  "s422",
  "s500",
  "s503ra",
  "refused",
  "reset",
  "timeout",
  "badjson",
];
export const NO = (...out) => STD.filter((s) => !out.includes(s));
export const url = (flavour, sit) => `http://127.0.0.1:${sit === "refused" ? REFUSED : PORT}/${flavour}/${sit}`;
const T = 400; // ms, the time limit that each client gets by its own option
const q = `?key=${PLANTED.urlKey}`;
const AUTH = { authorization: `Bearer ${PLANTED.bearer}` };
const method = (mode) => (mode === "read" ? "GET" : "POST");
const payload = { name: "x" };

export const httpLibs = [
  {
    lib: "fetch: throw Response",
    pkg: "node",
    sits: STD,
    async run({ sit, mode }) {
      const r = await fetch(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        signal: AbortSignal.timeout(T),
        ...(mode === "write" && { body: JSON.stringify(payload) }),
      });
      if (!r.ok) throw r;
      return r.json();
    },
  },
  {
    lib: "fetch: throw new Error(HTTP and the status)",
    pkg: "node",
    sits: STD,
    async run({ sit, mode }) {
      const r = await fetch(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        signal: AbortSignal.timeout(T),
      });
      if (!r.ok) throw new Error(`HTTP ${r.status}`);
      return r.json();
    },
  },
  {
    lib: "fetch: throw new Error(API error, status and body)",
    pkg: "node",
    sits: ["s429ra", "s429", "s401", "s403", "s404", "s409", "s422", "s500", "s503ra"],
    async run({ sit, mode }) {
      const r = await fetch(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        signal: AbortSignal.timeout(T),
      });
      if (!r.ok) throw new Error(`API error: ${r.status} ${await r.text()}`);
      return r.json();
    },
  },
  {
    lib: "undici request + responseError",
    pkg: "undici",
    sits: STD,
    async run({ sit, mode }) {
      const { request, Agent, interceptors } = await import("undici");
      const d = new Agent({ headersTimeout: T, bodyTimeout: T, connect: { timeout: 1000 } }).compose(
        interceptors.responseError(),
      );
      const { body } = await request(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        dispatcher: d,
        signal: AbortSignal.timeout(3000),
      });
      return body.json();
    },
  },
  {
    lib: "axios",
    pkg: "axios",
    sits: STD,
    async run({ sit, mode }) {
      const { default: axios } = await import("axios");
      const r = await axios({
        url: `${url("generic", sit)}/items/42${q}`,
        method: method(mode),
        headers: AUTH,
        timeout: T,
        ...(mode === "write" && { data: payload }),
      });
      return typeof r.data === "string" ? JSON.parse(r.data) : r.data;
    },
  },
  {
    lib: "got",
    pkg: "got",
    sits: STD,
    note: "retry: 0 (default: GET twice)",
    async run({ sit, mode }) {
      const { default: got } = await import("got");
      return got(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        timeout: { request: T },
        retry: { limit: 0 },
        ...(mode === "write" && { json: payload }),
      }).json();
    },
  },
  {
    lib: "ky",
    pkg: "ky",
    sits: STD,
    note: "retry: 0 (default: GET twice)",
    async run({ sit, mode }) {
      const { default: ky } = await import("ky");
      return ky(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        timeout: T,
        retry: 0,
        ...(mode === "write" && { json: payload }),
      }).json();
    },
  },
  {
    lib: "ofetch",
    pkg: "ofetch",
    sits: STD,
    note: "retry: 0 (default: GET once)",
    async run({ sit, mode }) {
      const { ofetch } = await import("ofetch");
      return ofetch(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        timeout: T,
        retry: 0,
        responseType: "json",
        parseResponse: JSON.parse,
        ...(mode === "write" && { body: payload }),
      });
    },
  },
  {
    lib: "node-fetch: throw new Error(status and its text)",
    pkg: "node-fetch",
    sits: STD,
    async run({ sit, mode }) {
      const { default: nf } = await import("node-fetch");
      const r = await nf(`${url("generic", sit)}/items/42${q}`, {
        method: method(mode),
        headers: AUTH,
        signal: AbortSignal.timeout(T),
      });
      if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
      return r.json();
    },
  },
  {
    lib: "superagent",
    pkg: "superagent",
    sits: STD,
    async run({ sit, mode }) {
      const { default: sa } = await import("superagent");
      const r = await sa(method(mode), `${url("generic", sit)}/items/42${q}`)
        .set(AUTH)
        .timeout(T)
        .send(mode === "write" ? payload : undefined);
      return r.body;
    },
  },
  {
    lib: "wretch",
    pkg: "wretch",
    sits: STD,
    async run({ sit, mode }) {
      const { default: wretch } = await import("wretch");
      const w = wretch(`${url("generic", sit)}/items/42${q}`)
        .headers(AUTH)
        .options({ signal: AbortSignal.timeout(T) });
      return (mode === "read" ? w.get() : w.post(payload)).json();
    },
  },
  {
    lib: "graphql-request",
    pkg: "graphql-request",
    sits: STD,
    note: "plus errors under 200",
    extra: ["gql200_404", "gql200_401"],
    async run({ sit, mode }) {
      const { GraphQLClient } = await import("graphql-request");
      const c = new GraphQLClient(`${url("graphql", sit)}/${q}`, { headers: AUTH, signal: AbortSignal.timeout(T) });
      return c.request(mode === "read" ? "query { item(id: 42) { id } }" : "mutation { addItem { id } }");
    },
  },
  {
    lib: "@octokit/rest",
    pkg: "@octokit/rest",
    sits: STD,
    extra: ["ghrate"],
    async run({ sit, mode }) {
      const { Octokit } = await import("@octokit/rest");
      const o = new Octokit({
        auth: PLANTED.bearer,
        baseUrl: url("github", sit),
        request: { signal: AbortSignal.timeout(T) },
        log: { debug() {}, info() {}, warn() {}, error() {} },
      });
      const r =
        mode === "read"
          ? await o.issues.get({ owner: "a", repo: "b", issue_number: 42 })
          : await o.issues.create({ owner: "a", repo: "b", title: "x" });
      return typeof r.data === "string" ? JSON.parse(r.data) : r.data;
    },
  },
  {
    lib: "@octokit/request",
    pkg: "@octokit/request",
    sits: STD,
    async run({ sit, mode }) {
      const { request } = await import("@octokit/request");
      const r = await request(`${method(mode)} /repos/{owner}/{repo}/issues`, {
        owner: "a",
        repo: "b",
        baseUrl: url("github", sit),
        headers: AUTH,
        request: { signal: AbortSignal.timeout(T) },
      });
      return typeof r.data === "string" ? JSON.parse(r.data) : r.data;
    },
  },
  {
    lib: "openai",
    pkg: "openai",
    sits: STD,
    extra: ["quota"],
    note: "maxRetries: 0 (default 2)",
    async run({ sit, mode }) {
      const { default: OpenAI } = await import("openai");
      const c = new OpenAI({ apiKey: PLANTED.bearer, baseURL: url("openai", sit), timeout: T, maxRetries: 0 });
      return mode === "read"
        ? c.files.retrieve("file-42")
        : c.chat.completions.create({ model: "gpt", messages: [{ role: "user", content: "x" }] });
    },
  },
  {
    lib: "@anthropic-ai/sdk",
    pkg: "@anthropic-ai/sdk",
    sits: STD,
    extra: ["s529"],
    note: "maxRetries: 0 (default 2)",
    async run({ sit, mode }) {
      const { default: A } = await import("@anthropic-ai/sdk");
      const c = new A({ apiKey: PLANTED.bearer, baseURL: url("anthropic", sit), timeout: T, maxRetries: 0 });
      return mode === "read"
        ? c.models.retrieve("claude")
        : c.messages.create({ model: "claude", max_tokens: 9, messages: [{ role: "user", content: "x" }] });
    },
  },
  {
    lib: "stripe",
    pkg: "stripe",
    sits: STD,
    extra: ["s402"],
    note: "maxNetworkRetries: 0",
    async run({ sit, mode }) {
      const { default: Stripe } = await import("stripe");
      const [host, port] = hostOf("stripe", sit).split(":");
      const s = new Stripe(`sk_test_${PLANTED.bearer}`, {
        host,
        port,
        protocol: "http",
        timeout: T,
        maxNetworkRetries: 0,
        telemetry: false,
      });
      return mode === "read" ? s.customers.retrieve("cus_42") : s.customers.create({ name: "x" });
    },
  },
  {
    lib: "@aws-sdk/client-dynamodb",
    pkg: "@aws-sdk/client-dynamodb",
    sits: STD,
    extra: ["throttle400"],
    note: "maxAttempts: 1 (default 3)",
    async run({ sit, mode }) {
      const { DynamoDBClient, GetItemCommand, PutItemCommand } = await import("@aws-sdk/client-dynamodb");
      const c = new DynamoDBClient({
        region: "us-east-1",
        endpoint: url("dynamodb", sit),
        credentials: { accessKeyId: "AKIAPLANTED", secretAccessKey: PLANTED.bearer },
        maxAttempts: 1,
        requestHandler: { requestTimeout: T, throwOnRequestTimeout: true },
      });
      return c.send(
        mode === "read"
          ? new GetItemCommand({ TableName: "t", Key: { id: { S: "42" } } })
          : new PutItemCommand({ TableName: "t", Item: { id: { S: "42" } } }),
      );
    },
  },
  {
    lib: "@aws-sdk/client-s3",
    pkg: "@aws-sdk/client-s3",
    sits: NO("badjson"),
    note: "maxAttempts: 1 (default 3)",
    async run({ sit, mode }) {
      const { S3Client, GetObjectCommand, PutObjectCommand } = await import("@aws-sdk/client-s3");
      const c = new S3Client({
        region: "us-east-1",
        endpoint: url("s3", sit),
        forcePathStyle: true,
        credentials: { accessKeyId: "AKIAPLANTED", secretAccessKey: PLANTED.bearer },
        maxAttempts: 1,
        requestHandler: { requestTimeout: T, throwOnRequestTimeout: true },
      });
      if (mode === "read") {
        const r = await c.send(new GetObjectCommand({ Bucket: "b", Key: "k42" }));
        return r.Body.transformToString();
      }
      const r = await c.send(new PutObjectCommand({ Bucket: "b", Key: "k42", Body: "x" }));
      if (sit === "reset") throw new Error("NOT-THROWN");
      return r;
    },
  },
  {
    lib: "gaxios",
    pkg: "gaxios",
    sits: NO("badjson"),
    extra: ["gquota"],
    async run({ sit, mode }) {
      const { request } = await import("gaxios");
      const r = await request({
        url: `${url("google", sit)}/items/42${q}`,
        method: method(mode),
        headers: AUTH,
        timeout: T,
        responseType: "json",
        ...(mode === "write" && { data: payload }),
      });
      return r.data;
    },
  },
  {
    lib: "@googleapis/drive",
    pkg: "@googleapis/drive",
    sits: STD,
    note: "retry: false (default: GET 3 times)",
    async run({ sit, mode }) {
      const { drive } = await import("@googleapis/drive");
      const d = drive({ version: "v3", auth: PLANTED.urlKey, rootUrl: `http://${hostOf("google", sit)}/` });
      const r =
        mode === "read"
          ? await d.files.get({ fileId: "42" }, { timeout: T, retry: false })
          : await d.files.create({ requestBody: { name: "x" } }, { timeout: T, retry: false });
      return typeof r.data === "string" ? JSON.parse(r.data) : r.data;
    },
  },
  {
    lib: "@azure/core-rest-pipeline",
    pkg: "@azure/core-rest-pipeline",
    sits: ["refused", "reset", "timeout"],
    note: "throws only without a reply",
    async run({ sit, mode }) {
      const { createPipelineFromOptions, createDefaultHttpClient, createPipelineRequest } = await import(
        "@azure/core-rest-pipeline"
      );
      const p = createPipelineFromOptions({ retryOptions: { maxRetries: 0 } });
      const r = await p.sendRequest(
        createDefaultHttpClient(),
        createPipelineRequest({
          url: `${url("azure", sit)}/x`,
          method: method(mode),
          timeout: T,
          allowInsecureConnection: true,
        }),
      );
      return JSON.parse(r.bodyAsText);
    },
  },
  {
    lib: "@azure/storage-blob",
    pkg: "@azure/storage-blob",
    sits: NO("badjson", "reset"),
    note: "maxTries: 1 (default 4)",
    async run({ sit, mode }) {
      const { BlobServiceClient } = await import("@azure/storage-blob");
      const c = new BlobServiceClient(url("azure", sit), undefined, { retryOptions: { maxTries: 1 } })
        .getContainerClient("c")
        .getBlockBlobClient("b42");
      const abortSignal = sit === "timeout" ? AbortSignal.timeout(T) : undefined;
      return mode === "read" ? c.downloadToBuffer(0, undefined, { abortSignal }) : c.upload("x", 1, { abortSignal });
    },
  },
  {
    lib: "@slack/web-api",
    pkg: "@slack/web-api",
    sits: NO("s401", "s403", "s404", "s409", "s422"),
    extra: [
      "slack200_invalid_auth",
      "slack200_missing_scope",
      "slack200_channel_not_found",
      "slack200_name_taken",
      "slack200_invalid_arguments",
    ],
    note: "retries: 0, rejectRateLimitedCalls (default: retries for 30 minutes)",
    async run({ sit, mode }) {
      const { WebClient, LogLevel } = await import("@slack/web-api");
      const c = new WebClient(`xoxb-${PLANTED.bearer}`, {
        slackApiUrl: `${url("slack", sit)}/api/`,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: T,
        logLevel: LogLevel.ERROR,
        logger: quiet(),
      });
      return mode === "read"
        ? c.conversations.info({ channel: "C42" })
        : c.chat.postMessage({ channel: "C42", text: "x" });
    },
  },
  {
    lib: "@notionhq/client",
    pkg: "@notionhq/client",
    sits: STD,
    note: "retry: false (default: twice)",
    async run({ sit, mode }) {
      const { Client } = await import("@notionhq/client");
      const c = new Client({
        auth: PLANTED.bearer,
        baseUrl: url("notion", sit),
        timeoutMs: T,
        retry: false,
        logger: () => {},
      });
      return mode === "read"
        ? c.pages.retrieve({ page_id: "42" })
        : c.pages.create({ parent: { page_id: "42" }, properties: {} });
    },
  },
  {
    lib: "twilio",
    pkg: "twilio",
    sits: STD,
    async run({ sit, mode }) {
      const { default: twilio } = await import("twilio");
      const c = twilio(`AC${"0".repeat(32)}`, PLANTED.bearer, { timeout: T, autoRetry: false });
      c.api.baseUrl = url("twilio", sit);
      return mode === "read"
        ? c.messages(`SM${"0".repeat(32)}`).fetch()
        : c.messages.create({ to: "+1", from: "+2", body: "x" });
    },
  },
  {
    lib: "@sendgrid/mail",
    pkg: "@sendgrid/mail",
    sits: NO("badjson", "reset"),
    modes: ["write"],
    async run({ sit }) {
      const { default: mail } = await import("@sendgrid/mail");
      mail.setApiKey(`SG.${PLANTED.bearer}`);
      mail.client.setDefaultRequest("baseUrl", `${url("sendgrid", sit)}/`);
      mail.setTimeout(T);
      return mail.send({ to: "a@example.com", from: "b@example.com", subject: "s", text: "t" });
    },
  },
  {
    lib: "jira.js",
    pkg: "jira.js",
    sits: NO("timeout", "badjson"),
    async run({ sit, mode }) {
      const { createCloudClient } = await import("jira.js");
      const c = createCloudClient({
        host: `http://${hostOf("jira", sit)}`,
        auth: { type: "basic", email: "a@example.com", apiToken: PLANTED.bearer },
        retry: { maxRetries: 0, enabled: false },
      });
      return mode === "read"
        ? c.issues.getIssue({ issueIdOrKey: "A-42" })
        : c.issues.createIssue({ fields: { summary: "x" } });
    },
  },
  {
    lib: "@supabase/supabase-js (throwOnError)",
    pkg: "@supabase/supabase-js",
    sits: STD,
    limit: 40000,
    note: "reads are retried by itself",
    async run({ sit, mode }) {
      const { createClient } = await import("@supabase/supabase-js");
      const s = createClient(url("supabase", sit), PLANTED.bearer);
      const b = mode === "read" ? s.from("items").select().eq("id", 42).single() : s.from("items").insert({ id: 42 });
      return (await (sit === "timeout" ? b.abortSignal(AbortSignal.timeout(T)) : b).throwOnError()).data;
    },
  },
  {
    lib: "@supabase/supabase-js (if (error) throw error)",
    pkg: "@supabase/supabase-js",
    sits: STD,
    limit: 40000,
    note: "reads are retried by itself",
    async run({ sit, mode }) {
      const { createClient } = await import("@supabase/supabase-js");
      const s = createClient(url("supabase", sit), PLANTED.bearer);
      const b = mode === "read" ? s.from("items").select().eq("id", 42).single() : s.from("items").insert({ id: 42 });
      const { data, error } = await (sit === "timeout" ? b.abortSignal(AbortSignal.timeout(T)) : b);
      if (error) throw error;
      return data;
    },
  },
  {
    lib: "firebase-admin auth",
    pkg: "firebase-admin",
    sits: NO("s401", "timeout", "reset", "s503ra"),
    async run({ sit, mode }) {
      process.env.FIREBASE_AUTH_EMULATOR_HOST = `127.0.0.1:${sit === "refused" ? REFUSED : PORT}`;
      const { initializeApp, deleteApp } = await import("firebase-admin/app");
      const { getAuth } = await import("firebase-admin/auth");
      const app = initializeApp({ projectId: "demo-x" }, `a${Math.random()}`);
      try {
        const auth = getAuth(app);
        return await (mode === "read"
          ? auth.getUser(`u-${sit}`)
          : auth.createUser({ uid: `u-${sit}`, email: `${sit}@example.com` }));
      } finally {
        await deleteApp(app);
      }
    },
  },
  {
    lib: "@elastic/elasticsearch",
    pkg: "@elastic/elasticsearch",
    sits: STD,
    note: "maxRetries: 0 (default 3)",
    async run({ sit, mode }) {
      const { Client } = await import("@elastic/elasticsearch");
      const c = new Client({
        node: url("elastic", sit),
        auth: { apiKey: PLANTED.bearer },
        maxRetries: 0,
        requestTimeout: T,
      });
      return mode === "read" ? c.get({ index: "items", id: "42" }) : c.index({ index: "items", document: { a: 1 } });
    },
  },
  {
    lib: "@linear/sdk",
    pkg: "@linear/sdk",
    sits: NO("timeout"),
    async run({ sit, mode }) {
      const { LinearClient } = await import("@linear/sdk");
      const c = new LinearClient({ apiKey: PLANTED.bearer, apiUrl: `${url("linear", sit)}/graphql` });
      return mode === "read" ? c.issue("A-42") : c.createIssue({ teamId: "t", title: "x" });
    },
  },
  {
    lib: "@gitbeaker/rest",
    pkg: "@gitbeaker/rest",
    sits: NO("s429ra", "s503ra"),
    note: "retries 429 and 502 ten times by itself",
    async run({ sit, mode }) {
      const { Gitlab } = await import("@gitbeaker/rest");
      const g = new Gitlab({ host: url("gitlab", sit), token: PLANTED.bearer, queryTimeout: T });
      return mode === "read" ? g.Issues.show(42, { projectId: 1 }) : g.Issues.create(1, "x");
    },
  },
  {
    lib: "@discordjs/rest",
    pkg: "@discordjs/rest",
    sits: NO("badjson", "reset"),
    note: "retries: 0, rejectOnRateLimit (default: waits)",
    async run({ sit, mode }) {
      const { REST } = await import("@discordjs/rest");
      const r = new REST({
        api: `${url("discord", sit)}/api`,
        version: "10",
        retries: 0,
        timeout: T,
        rejectOnRateLimit: () => true,
      }).setToken(PLANTED.bearer);
      return mode === "read" ? r.get("/channels/42") : r.post("/channels/42/messages", { body: { content: "x" } });
    },
  },
  {
    lib: "@hubspot/api-client",
    pkg: "@hubspot/api-client",
    sits: NO("timeout"),
    async run({ sit, mode }) {
      const { Client } = await import("@hubspot/api-client");
      const c = new Client({ accessToken: PLANTED.bearer, basePath: url("hubspot", sit), numberOfApiCallRetries: 0 });
      return mode === "read"
        ? c.crm.contacts.basicApi.getById("42")
        : c.crm.contacts.basicApi.create({ properties: { a: "b" } });
    },
  },
  {
    lib: "@kubernetes/client-node",
    pkg: "@kubernetes/client-node",
    sits: NO("timeout"),
    async run({ sit, mode }) {
      const { KubeConfig, CoreV1Api } = await import("@kubernetes/client-node");
      const kc = new KubeConfig();
      kc.loadFromClusterAndUser(
        { name: "c", server: url("k8s", sit), skipTLSVerify: true },
        { name: "u", token: PLANTED.bearer },
      );
      const api = kc.makeApiClient(CoreV1Api);
      return mode === "read"
        ? api.readNamespacedPod({ name: "p42", namespace: "d" })
        : api.createNamespacedPod({ namespace: "d", body: { metadata: { name: "p" } } });
    },
  },
  {
    lib: "airtable",
    pkg: "airtable",
    sits: NO("s429", "s429ra", "reset", "badjson"),
    note: "retries 429 by itself; a reset or unreadable body is no error",
    async run({ sit, mode }) {
      const { default: Airtable } = await import("airtable");
      const b = new Airtable({
        apiKey: PLANTED.bearer,
        endpointUrl: url("airtable", sit),
        requestTimeout: T,
        noRetryIfRateLimited: true,
      }).base("app1");
      return mode === "read" ? b("t").find("rec42") : b("t").create({ a: "b" });
    },
  },
  {
    lib: "@qdrant/js-client-rest",
    pkg: "@qdrant/js-client-rest",
    sits: STD,
    async run({ sit, mode }) {
      const { QdrantClient } = await import("@qdrant/js-client-rest");
      const c = new QdrantClient({
        host: "127.0.0.1",
        https: false,
        port: sit === "refused" ? REFUSED : PORT,
        prefix: `/qdrant/${sit}`,
        timeout: T,
        checkCompatibility: false,
      });
      return mode === "read" ? c.getCollection("c42") : c.upsert("c42", { points: [{ id: 1, vector: [1] }] });
    },
  },
  {
    lib: "meilisearch",
    pkg: "meilisearch",
    sits: STD,
    async run({ sit, mode }) {
      const { Meilisearch, MeiliSearch } = await import("meilisearch");
      const c = new (Meilisearch ?? MeiliSearch)({ host: url("meili", sit), apiKey: PLANTED.bearer, timeout: T });
      return mode === "read" ? c.index("i").getDocument(42) : c.index("i").addDocuments([{ id: 1 }]);
    },
  },
  {
    lib: "algoliasearch",
    pkg: "algoliasearch",
    sits: NO("reset", "s429ra"),
    note: "tries its hosts in turn",
    async run({ sit, mode }) {
      const { algoliasearch } = await import("algoliasearch");
      const u = new URL(url("generic", sit));
      const c = algoliasearch("APP", PLANTED.bearer, {
        hosts: [{ url: u.host + u.pathname, accept: "readWrite", protocol: "http" }],
        timeouts: { connect: T, read: T, write: T },
      });
      return mode === "read"
        ? c.getObject({ indexName: "i", objectID: "42" })
        : c.saveObject({ indexName: "i", body: { a: 1 } });
    },
  },
  {
    lib: "resend (if (error) throw error)",
    pkg: "resend",
    sits: NO("timeout"),
    modes: ["write"],
    async run({ sit }) {
      process.env.RESEND_BASE_URL = url("resend", sit);
      const { Resend } = await import(`resend?${sit}`).catch(() => import("resend"));
      const r = new Resend(`re_${PLANTED.bearer}`, { baseUrl: url("resend", sit) });
      const { data, error } = await r.emails.send({
        from: "a@example.com",
        to: "b@example.com",
        subject: "s",
        text: "t",
      });
      if (error) throw error;
      return data;
    },
  },
  {
    lib: "@tavily/core",
    pkg: "@tavily/core",
    sits: STD,
    modes: ["read"],
    async run({ sit }) {
      const { tavily } = await import("@tavily/core");
      return tavily({ apiKey: `tvly-${PLANTED.bearer}`, apiBaseURL: url("tavily", sit) }).search("x", {
        timeout: T / 1000,
      });
    },
  },
  {
    lib: "exa-js",
    pkg: "exa-js",
    sits: NO("timeout"),
    modes: ["read"],
    async run({ sit }) {
      const { default: Exa } = await import("exa-js");
      return new Exa(PLANTED.bearer, url("exa", sit)).search("x");
    },
  },
  {
    lib: "@upstash/redis",
    pkg: "@upstash/redis",
    sits: STD,
    note: "retry: false (default 5)",
    async run({ sit, mode }) {
      const { Redis } = await import("@upstash/redis");
      const r = new Redis({
        url: url("upstash", sit),
        token: PLANTED.bearer,
        retry: false,
        signal: AbortSignal.timeout(T),
      });
      return mode === "read" ? r.get("k") : r.set("k", "v");
    },
  },
  {
    lib: "@google/genai",
    pkg: "@google/genai",
    sits: STD,
    modes: ["read"],
    note: "",
    async run({ sit }) {
      const { GoogleGenAI } = await import("@google/genai");
      const c = new GoogleGenAI({ apiKey: PLANTED.bearer, httpOptions: { baseUrl: url("google", sit), timeout: T } });
      return c.models.generateContent({ model: "gemini", contents: "x" });
    },
  },
  {
    lib: "ai + @ai-sdk/openai",
    pkg: "ai",
    sits: STD,
    modes: ["read"],
    note: "maxRetries: 0 (default 2)",
    async run({ sit }) {
      const { generateText } = await import("ai");
      const { createOpenAI } = await import("@ai-sdk/openai");
      const o = createOpenAI({ apiKey: PLANTED.bearer, baseURL: url("openai", sit) });
      return generateText({ model: o.chat("gpt"), prompt: "x", maxRetries: 0, abortSignal: AbortSignal.timeout(T) });
    },
  },
  {
    lib: "dockerode",
    pkg: "dockerode",
    sits: NO("reset", "badjson"),
    async run({ sit, mode }) {
      const { default: Docker } = await import("dockerode");
      const [host, port] = hostOf("generic", sit).split(":");
      const d = new Docker({ protocol: "http", host, port: Number(port), timeout: T });
      return mode === "read" ? d.getContainer("c42").inspect() : d.getContainer("c42").start();
    },
  },
];
export function quiet() {
  return { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => "error", setName() {} };
}
