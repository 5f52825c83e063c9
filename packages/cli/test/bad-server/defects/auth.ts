import type { Defect, Incoming } from "../defect.ts";
import { errorReply } from "./replies.ts";

/** The answer with other headers. */
function withHeaders(response: Response, change: (headers: Headers) => void, status = response.status): Response {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status, headers });
}

const bearer = ({ http }: Incoming): string => http?.request.headers.get("authorization") ?? "";

/** Servers that ask the wrong way who calls. */
export const AUTH = {
  "auth-challenge": {
    on: "http",
    auth: true,
    also: { "auth-metadata": "The metadata is named in the challenge." },
    respond: (response) => withHeaders(response, (headers) => headers.delete("www-authenticate")),
  },
  "auth-invalid-401": {
    on: "http",
    auth: true,
    respond: (response, incoming) =>
      response.status === 401 && bearer(incoming) !== "" ? withHeaders(response, () => {}, 403) : response,
  },
  "auth-opaque": {
    on: "http",
    auth: true,
    async respond(response, incoming) {
      if (response.status !== 401 || bearer(incoming) === "") return response;
      const reply = errorReply(incoming, -32600, "The signature of the token does not match.");
      const [message] = "messages" in reply ? reply.messages : [];
      return Response.json(message, { status: 401, headers: { "www-authenticate": challengeOf(response) } });
    },
  },
  "auth-metadata": {
    on: "http",
    auth: true,
    respond: (response) =>
      response.headers.has("www-authenticate")
        ? withHeaders(response, (headers) => headers.set("www-authenticate", "Bearer"))
        : response,
  },
  "http-origin": {
    on: "http",
    answer({ http }) {
      http?.request.headers.delete("origin");
      return undefined;
    },
  },
  "http-host": {
    on: "http",
    answer({ http }) {
      http?.request.headers.set("host", "127.0.0.1");
      return undefined;
    },
  },
} as const satisfies Record<string, Defect>;

const challengeOf = (response: Response): string => response.headers.get("www-authenticate") ?? "";
