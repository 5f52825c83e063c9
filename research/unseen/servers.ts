// Public servers from npm that no rule of the probe was written with. They were chosen by their names, before any of them was
// probed; none has real credentials.

/** How one of them is started. `$DIR` stands for an empty folder of its own. */
export interface UnseenServer {
  readonly version: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** By the name of the package. */
export const UNSEEN_SERVERS = {
  "@chakra-ui/react-mcp": { version: "2.1.1" },
  "@primevue/mcp": { version: "5.0.1" },
  "@mui/mcp": { version: "0.1.6" },
  "@vuetify/mcp": { version: "0.12.1" },
  "@mastra/mcp-docs-server": { version: "1.2.27" },
  "@shopify/dev-mcp": { version: "1.16.0" },
  "@magicuidesign/mcp": { version: "2.0.0" },
  "@jpisnice/shadcn-ui-mcp-server": { version: "2.0.0" },
  "@dangahagan/weather-mcp": { version: "1.23.0" },
  "@cyanheads/pubmed-mcp-server": { version: "2.7.4" },
  "@apify/actors-mcp-server": { version: "0.16.0", env: { APIFY_TOKEN: "apify_api_survey" } },
  "@circleci/mcp-server-circleci": { version: "0.20.0", env: { CIRCLECI_TOKEN: "survey" } },
  "@currents/mcp": { version: "2.1.1", env: { CURRENTS_API_KEY: "survey" } },
  "@dynatrace-oss/dynatrace-mcp-server": {
    version: "2.1.2",
    env: { DT_ENVIRONMENT: "https://abc12345.apps.dynatrace.com", DT_PLATFORM_TOKEN: "dt0s16.SURVEY.SURVEY" },
  },
  "@heroku/mcp-server": { version: "1.2.8", env: { HEROKU_API_KEY: "survey" } },
  "@launchdarkly/mcp-server": { version: "0.6.2", args: ["start", "--api-key", "api-survey"] },
  "@line/line-bot-mcp-server": { version: "0.5.0", env: { CHANNEL_ACCESS_TOKEN: "survey", DESTINATION_USER_ID: "U0" } },
  "@softeria/ms-365-mcp-server": { version: "0.155.0" },
  "airtable-mcp-server": { version: "1.14.0", env: { AIRTABLE_API_KEY: "pat.survey" } },
  "@ivotoby/contentful-management-mcp-server": {
    version: "1.21.0",
    env: { CONTENTFUL_MANAGEMENT_ACCESS_TOKEN: "CFPAT-survey", SPACE_ID: "survey", ENVIRONMENT_ID: "master" },
  },
  "@postman/postman-mcp-server": { version: "2.13.0", env: { POSTMAN_API_KEY: "PMAK-survey" } },
  "@paddle/paddle-mcp": { version: "0.1.6", args: ["--api-key=pdl_sdbx_survey", "--environment=sandbox"] },
  "@pinecone-database/mcp": { version: "0.3.0", env: { PINECONE_API_KEY: "pcsk_survey" } },
  "resend-mcp": { version: "2.22.0", env: { RESEND_API_KEY: "re_survey" } },
  "@delorenj/mcp-server-trello": { version: "1.8.1", env: { TRELLO_API_KEY: "survey", TRELLO_TOKEN: "survey" } },
  "@tacticlaunch/mcp-linear": { version: "1.4.3", env: { LINEAR_API_TOKEN: "lin_api_survey" } },
  "@winor30/mcp-server-datadog": { version: "1.8.0", env: { DATADOG_API_KEY: "survey", DATADOG_APP_KEY: "survey" } },
  "@upstash/mcp-server": { version: "0.3.0", args: ["--email", "survey@example.com", "--api-key", "survey"] },
  "@variflight-ai/variflight-mcp": {
    version: "1.0.3",
    env: { VARIFLIGHT_API_KEY: "survey", X_VARIFLIGHT_KEY: "survey" },
  },
  "@amap/amap-maps-mcp-server": { version: "0.0.8", env: { AMAP_MAPS_API_KEY: "survey" } },
  "fast-filesystem-mcp": { version: "3.5.2", args: ["$DIR"] },
  "mcp-filesystem-server": { version: "1.0.3", args: ["$DIR"] },
  "mcp-hello-world": { version: "1.1.2" },
  "mcp-searxng": { version: "2.4.0", env: { SEARXNG_URL: "http://127.0.0.1:9" } },
  "mcp-server-code-runner": { version: "0.1.8" },
  "mcp-shrimp-task-manager": { version: "1.0.21", env: { DATA_DIR: "$DIR/tasks" } },
  "mcp-starter": { version: "0.1.0" },
  "n8n-mcp": { version: "2.87.0" },
  "ref-tools-mcp": { version: "3.0.3", env: { REF_API_KEY: "survey" } },
  repomix: { version: "1.18.1", args: ["--mcp"] },
  "octocode-mcp": { version: "19.1.0" },
  "@kazuph/mcp-taskmanager": { version: "1.1.1" },
  "@kazuph/mcp-fetch": { version: "1.6.3" },
  "duckduckgo-mcp-server": { version: "0.1.2" },
  "@modelcontextprotocol/server-slack": {
    version: "2025.4.25",
    env: { SLACK_BOT_TOKEN: "xoxb-survey", SLACK_TEAM_ID: "T0" },
  },
  "@modelcontextprotocol/server-gitlab": { version: "2025.4.25", env: { GITLAB_PERSONAL_ACCESS_TOKEN: "survey" } },
  "@modelcontextprotocol/server-google-maps": { version: "0.6.2", env: { GOOGLE_MAPS_API_KEY: "survey" } },
  "@bitwarden/mcp-server": { version: "2026.7.0", env: { BW_SESSION: "survey" } },
  "@netlify/mcp": { version: "1.15.1" },
  "@google-cloud/gcloud-mcp": { version: "0.5.3" },
  "@google-cloud/observability-mcp": { version: "0.2.3" },
  "youtube-data-mcp-server": { version: "1.0.16", env: { YOUTUBE_API_KEY: "survey" } },
  "@kimtaeyoon83/mcp-server-youtube-transcript": { version: "0.1.1" },
  "mcp-obsidian": { version: "1.0.0", args: ["$DIR"] },
} as const satisfies Readonly<Record<string, UnseenServer>>;
