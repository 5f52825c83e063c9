// Ten libraries that no rule was written for: chosen before the table was written, run once at the end.
import { PLANTED, PORT, REFUSED } from "./service.mjs";

const url = (flavour, situation) =>
  `http://127.0.0.1:${situation === "refused" ? REFUSED : PORT}/${flavour}/${situation}`;
const SITUATIONS = [
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
const without = (...out) => SITUATIONS.filter((one) => !out.includes(one));
/** The limit of time that each client gets by its own option, in ms. */
const LIMIT = 400;
const limited = (input, init = {}) => fetch(input, { ...init, signal: AbortSignal.timeout(LIMIT) });

export const heldOut = [
  {
    lib: "@mistralai/mistralai",
    pkg: "@mistralai/mistralai",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { Mistral } = await import("@mistralai/mistralai");
      const client = new Mistral({ apiKey: PLANTED.bearer, serverURL: url("generic", sit), timeoutMs: LIMIT });
      return mode === "read"
        ? client.models.list()
        : client.chat.complete({ model: "m", messages: [{ role: "user", content: "x" }] });
    },
  },
  {
    lib: "cohere-ai",
    pkg: "cohere-ai",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { CohereClient } = await import("cohere-ai");
      const client = new CohereClient({ token: PLANTED.bearer, environment: url("generic", sit) });
      const options = { maxRetries: 0, timeoutInSeconds: LIMIT / 1000 };
      return mode === "read" ? client.models.list({}, options) : client.chat({ message: "x" }, options);
    },
  },
  {
    lib: "replicate",
    pkg: "replicate",
    sits: SITUATIONS,
    limit: 60_000,
    async run({ sit, mode }) {
      const { default: Replicate } = await import("replicate");
      const client = new Replicate({ auth: PLANTED.bearer, baseUrl: url("generic", sit), fetch: limited });
      return mode === "read" ? client.models.get("a", "b") : client.predictions.create({ version: "v", input: {} });
    },
  },
  {
    lib: "typesense",
    pkg: "typesense",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { Client } = await import("typesense");
      const client = new Client({
        nodes: [{ url: url("generic", sit) }],
        apiKey: PLANTED.bearer,
        connectionTimeoutSeconds: LIMIT / 1000,
        numRetries: 0,
        logLevel: "silent",
      });
      return mode === "read"
        ? client.collections("x").retrieve()
        : client.collections("x").documents().create({ id: "1" });
    },
  },
  {
    lib: "postmark",
    pkg: "postmark",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { ServerClient } = await import("postmark");
      const client = new ServerClient(PLANTED.bearer, {
        useHttps: false,
        requestHost: url("generic", sit).slice("http://".length),
        timeout: LIMIT / 1000,
      });
      return mode === "read"
        ? client.getServer()
        : client.sendEmail({ From: "a@example.com", To: "b@example.com", Subject: "x", TextBody: "x" });
    },
  },
  {
    lib: "node-appwrite",
    pkg: "node-appwrite",
    sits: without("timeout"),
    async run({ sit, mode }) {
      const { Client, Databases } = await import("node-appwrite");
      const databases = new Databases(
        new Client().setEndpoint(url("generic", sit)).setProject("p").setKey(PLANTED.bearer),
      );
      return mode === "read"
        ? databases.getDocument("d", "c", "42")
        : databases.createDocument("d", "c", "42", { name: "x" });
    },
  },
  {
    lib: "pocketbase",
    pkg: "pocketbase",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { default: PocketBase } = await import("pocketbase");
      const items = new PocketBase(url("generic", sit)).collection("items");
      const options = { fetch: limited, requestKey: null };
      return mode === "read" ? items.getOne("42", options) : items.create({ name: "x" }, options);
    },
  },
  {
    lib: "@opensearch-project/opensearch",
    pkg: "@opensearch-project/opensearch",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { Client } = await import("@opensearch-project/opensearch");
      const client = new Client({ node: url("elastic", sit), requestTimeout: LIMIT, maxRetries: 0 });
      return mode === "read" ? client.get({ index: "i", id: "42" }) : client.index({ index: "i", body: { name: "x" } });
    },
  },
  {
    lib: "contentful-management",
    pkg: "contentful-management",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { createClient } = await import("contentful-management");
      const client = createClient(
        {
          accessToken: PLANTED.bearer,
          insecure: true,
          host: `127.0.0.1:${sit === "refused" ? REFUSED : PORT}`,
          basePath: `/generic/${sit}`,
          retryOnError: false,
          retryLimit: 0,
          timeout: LIMIT,
        },
        { type: "plain", defaults: { spaceId: "s", environmentId: "master" } },
      );
      return mode === "read"
        ? client.entry.get({ entryId: "42" })
        : client.entry.create({ contentTypeId: "item" }, { fields: {} });
    },
  },
  {
    lib: "@directus/sdk",
    pkg: "@directus/sdk",
    sits: SITUATIONS,
    async run({ sit, mode }) {
      const { createDirectus, rest, readItem, createItem } = await import("@directus/sdk");
      const client = createDirectus(url("graphql", sit), { globals: { fetch: limited, URL, logger: console } }).with(
        rest(),
      );
      return client.request(mode === "read" ? readItem("items", 42) : createItem("items", { name: "x" }));
    },
  },
];
