import type { Answer } from "../../recording/recording.ts";
import type { HttpConversation } from "../http-conversation.ts";
import { isCredentialHeader } from "../secrets.ts";
import type { Group } from "./group.ts";

const UNSIGNED = `${base64url({ alg: "none", typ: "JWT" })}.${base64url({ sub: "recourse-probe", exp: 4_102_444_800 })}.`;

/** Other credentials than the user's, by variant. */
const CREDENTIALS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  wrong: "Bearer recourse-probe-wrong",
  "alg-none": `Bearer ${UNSIGNED}`,
  basic: `Basic ${Buffer.from("recourse-probe:wrong").toString("base64")}`,
  empty: "Bearer ",
};

/** Requests with other credentials, if the server asks for some. */
export const credentials: Group = {
  stimulus: "credentials",
  async run(talk) {
    const conversation = talk.conversation as HttpConversation;
    const own = Object.keys(conversation.place.headers).filter(isCredentialHeader);
    const without = Object.fromEntries(own.map((name) => [name, undefined]));
    for (const [variant, authorization] of Object.entries(CREDENTIALS)) {
      const headers = { ...without, ...(authorization === undefined ? {} : { authorization }) };
      const answer = await talk.request({ stimulus: "credentials", variant }, "tools/list", {}, { http: { headers } });
      if (variant !== "none") continue;
      if (!asksForCredentials(answer)) return talk.leaveOut("credentials", "The server asks for no credentials.");
      await metadata(talk, answer);
    }
  },
};

/** Whether an answer says that credentials are missing. */
export function asksForCredentials(answer: Answer | undefined): boolean {
  if (answer === undefined || (answer.kind !== "message" && answer.kind !== "body")) return false;
  return answer.http?.status === 401 || answer.http?.status === 403;
}

/** Looks at the document that the challenge names, on the same server only. */
async function metadata(talk: Parameters<Group["run"]>[0], answer: Answer | undefined): Promise<void> {
  if (answer === undefined || (answer.kind !== "message" && answer.kind !== "body")) return;
  const named = /resource_metadata="?([^",\s]+)/.exec(answer.http?.headers["www-authenticate"] ?? "")?.[1];
  const place = (talk.conversation as HttpConversation).place;
  const url = named === undefined ? undefined : URL.parse(named, place.url.href);
  if (url === undefined || url === null) return;
  const sent = { text: "", bytes: 0, http: { method: "GET", headers: {} } };
  if (url.origin !== place.url.origin) {
    const because = "The document is on another server, and a probe talks to yours only.";
    return talk.keep({ stimulus: "credentials", variant: "metadata" }, sent, { kind: "inconclusive", ms: 0, because });
  }
  const own = Object.keys(place.headers).filter(isCredentialHeader);
  const headers = { ...Object.fromEntries(own.map((name) => [name, undefined])), accept: "application/json" };
  await talk.send({ stimulus: "credentials", variant: "metadata" }, { http: { url, method: "GET", headers } });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
