import { satteri } from "@astrojs/markdown-satteri";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { readNavigation } from "./build/navigation.ts";
import { SITE_PATH, SITE_URL } from "./content/address.ts";
import { readableTables } from "./src/markdown/tables.ts";

/** Where this build is served below the site: "/" for the newest release, "/next/" for the main branch, "/v0.1/" for a released minor. */
const base = process.env["RECOURSE_SITE_BASE"] ?? "/";

export default defineConfig({
  site: new URL(SITE_URL).origin,
  base: `${SITE_PATH}${base}`,
  trailingSlash: "always",
  outDir: process.env["RECOURSE_SITE_OUT"] ?? "./dist",
  markdown: {
    processor: satteri({
      hastPlugins: [readableTables],
      features: { smartPunctuation: false, headingAttributes: true },
    }),
  },
  build: { format: "directory", inlineStylesheets: "never" },
  // Links of the pages are relative, and the page they lead to may be read at once.
  prefetch: false,
  vite: { resolve: { conditions: ["@recourse/source", "module", "browser"] } },
  integrations: [
    starlight({
      title: "Recourse",
      description: "The error system for MCP: every failed call ends with one answer, what to do next.",
      favicon: "/icon.svg",
      customCss: ["./src/styles/tokens.css", "./src/styles/site.css"],
      sidebar: readNavigation(),
      components: {
        Header: "./src/components/Header.astro",
        Footer: "./src/components/Footer.astro",
        PageTitle: "./src/components/PageTitle.astro",
        MarkdownContent: "./src/components/MarkdownContent.astro",
        Search: "./src/components/Search.astro",
        Banner: "./src/components/VersionNotice.astro",
      },
      disable404Route: true,
      routeMiddleware: "./src/route-data.ts",
      credits: false,
      lastUpdated: false,
      expressiveCode: {
        themes: ["github-dark", "github-light"],
        styleOverrides: {
          borderRadius: "10px",
          borderWidth: "1px",
          borderColor: "var(--line)",
          codeBackground: "var(--canvas)",
          codeFontFamily: "var(--mono)",
          codeFontSize: "13.5px",
          codeLineHeight: "21px",
          frames: { shadowColor: "transparent" },
        },
      },
    }),
  ],
});
