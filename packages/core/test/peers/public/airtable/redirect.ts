// Loaded before the Airtable server starts (`node --import`): what the server asks of Airtable goes to the stand-in of the
// test, and nothing else goes anywhere.
const standIn = process.env["AIRTABLE_STAND_IN"] ?? "";
const fetchReally = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const { hostname, pathname, search } = new URL(String(input));
  if (!hostname.endsWith(".airtable.com")) throw new Error(`unexpected request to ${hostname}`);
  return fetchReally(new URL(pathname + search, standIn), init);
};
