// Where the documentation is served. Whatever names a page of it by its whole address takes the address from here.

/** The site, without a slash at its end. */
export const SITE_URL = "https://recourse-mcp.github.io/recourse";

/** The path of the site at its host, without a slash at its end: versions are served below it. */
export const SITE_PATH: string = new URL(SITE_URL).pathname.replace(/\/$/, "");
