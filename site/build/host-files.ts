// Files for the host of the site. The policy against foreign scripts is in each page; what a page cannot say is here.

import { SITE_PATH, SITE_URL } from "../content/address.ts";

/** Sent with every file. A page cannot forbid by itself that others show it in a frame. */
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Content-Security-Policy": "frame-ancestors 'none'",
} as const;

/** The names of these files hold a digest of their content. */
const HASHED = "_astro/";
const LONG_CACHE = "public, max-age=31536000, immutable";

/** `_headers`, as Cloudflare Pages and Netlify read it. */
export function renderHeaders(): string {
  const all = Object.entries(HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
  const markdown = [`${SITE_PATH}/*.md\n  Content-Type: text/markdown; charset=utf-8\n`];
  const hashed = ["/", "/next/", "/:version/"].map(
    (base) => `${SITE_PATH}${base}${HASHED}*\n  Cache-Control: ${LONG_CACHE}\n`,
  );
  return [`${SITE_PATH}/*\n${all.join("")}`, ...markdown, ...hashed].join("\n");
}

/** A server of nginx. Headers are repeated, since a location with headers of its own inherits none. */
export function renderNginx(): string {
  const headers = (indent: string) =>
    Object.entries(HEADERS)
      .map(([name, value]) => `${indent}add_header ${name} "${value}" always;`)
      .join("\n");
  return `# Serves the site, which is the folder ${SITE_PATH.slice(1)} in root. Set root and server_name.
server {
  listen 80;
  server_name ${new URL(SITE_URL).host};
  root /srv;
  index index.html;
  error_page 404 ${SITE_PATH}/404.html;
  charset utf-8;
  gzip on;
  gzip_types text/css text/javascript application/javascript application/json application/wasm application/xml image/svg+xml text/markdown text/plain;
${headers("  ")}

  types {
    text/html html;
    text/css css;
    text/javascript js;
    text/markdown md;
    text/plain txt conf;
    application/json json;
    application/xml xml;
    application/wasm wasm;
    image/svg+xml svg;
    image/png png;
  }

  location ~ ^${SITE_PATH}/(?:[^/]+/)?${HASHED} {
    add_header Cache-Control "${LONG_CACHE}" always;
${headers("    ")}
  }

  location ${SITE_PATH}/ {
    try_files $uri $uri/ =404;
  }
}
`;
}

/** Robots read the newest release; older ones and the main branch say the same in other words. */
export function renderRobots(options: { readonly site: string; readonly version: string }): string {
  const major = Number.parseInt(options.version, 10);
  const path = new URL(options.site).pathname;
  const older = Array.from({ length: major + 1 }, (_, number) => `Disallow: ${path}/v${number}.`);
  return [
    "User-agent: *",
    `Disallow: ${path}/next/`,
    ...older,
    "",
    `Sitemap: ${options.site}/sitemap-index.xml`,
    "",
  ].join("\n");
}
