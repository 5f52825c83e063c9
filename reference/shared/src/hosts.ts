/** The names of this machine for itself. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The names that a server is reached by: those of this machine, and the ones that `ALLOWED_HOSTS` lists with commas. A page of
 * another site must not call tools through a visitor's browser, so requests for other hosts are refused.
 */
export function readHosts(listed = ""): readonly string[] {
  const named = listed.split(",").map((name) => name.trim());
  return [...LOCAL_HOSTS, ...named.filter((name) => name !== "")];
}
