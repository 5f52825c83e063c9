// Addresses that pages had before, and where they are now. An address that was published is never given up.

/** From the retired address to the page that replaced it. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  "/cli/causes/": "/causes/",
  "/reference/api/faults/explain/": "/reference/api/explain/",
  "/reference/api/faults/proxy/": "/reference/",
  "/reference/api/faults/retry/": "/reference/",
  "/reference/api/faults/safety/": "/reference/",
  "/reference/api/faults/schema/": "/reference/",
  "/reference/api/wire/": "/reference/",
  "/reference/api/wire/node/": "/reference/",
};

/** A page that leads to another one, without a script. The link is relative, so that it works below any base. */
export function renderRedirect(options: { readonly target: string; readonly canonical: string }): string {
  const { target, canonical } = options;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${target}">
<link rel="canonical" href="${canonical}">
</head>
<body>
<h1>This page has moved</h1>
<p>It is now at <a href="${target}">${canonical}</a>.</p>
</body>
</html>
`;
}
