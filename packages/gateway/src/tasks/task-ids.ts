import { parseJson } from "@recourse/core/wire";
import { isSameText, signList } from "../call/binding.ts";

export interface TaskOrigin {
  readonly upstream: string;
  /** The upstream is of the era that begins with a handshake. */
  readonly hasHandshake: boolean;
  /**
   * What tells the caller's sessions at the upstream apart, so that the task is asked for in the session that started
   * it. Undefined if the upstream has no sessions.
   */
  readonly session: string | undefined;
  /** What the caller could be asked when it started the task, as letters. */
  readonly abilities: string;
  /** The tool that the task runs, as callers know it; empty if it is not known. */
  readonly tool: string;
}

export interface KnownTask extends TaskOrigin {
  readonly taskId: string;
}

/**
 * The ids of tasks as callers know them. They carry all that is needed to reach a task, signed for the caller that started it,
 * so that any replica knows them for its own without a store.
 */
export interface TaskIds {
  /** The id for a caller; undefined if that of the upstream is longer than `MAX_TASK_ID`. */
  write(caller: string, task: KnownTask): string | undefined;
  /** The task of an id that was written for the same caller; undefined for every other text. */
  read(caller: string, text: string): KnownTask | undefined;
}

/** Ids of upstreams have at most so many characters. */
export const MAX_TASK_ID = 1_024;
const MAX_TOOL_NAME = 256;

const ID_FORM = /^t1\.([\w-]{1,8192})\.([\w-]{43})$/;

export function createTaskIds(secret: Buffer): TaskIds {
  const sign = (caller: string, contents: string) => signList(secret, ["task/1", caller, contents]);
  return {
    write(caller, { upstream, hasHandshake, session, abilities, tool, taskId }) {
      if (taskId.length > MAX_TASK_ID) return undefined;
      const named = tool.length > MAX_TOOL_NAME ? "" : tool;
      const list = [upstream, hasHandshake ? 1 : 0, session ?? null, abilities, named, taskId];
      const contents = Buffer.from(JSON.stringify(list)).toString("base64url");
      const text = `t1.${contents}.${sign(caller, contents)}`;
      return ID_FORM.test(text) ? text : undefined;
    },
    read(caller, text) {
      const [, contents, signature] = ID_FORM.exec(text) ?? [];
      if (contents === undefined || signature === undefined) return undefined;
      // The texts are compared, since several texts stand for the same bytes.
      if (!isSameText(signature, sign(caller, contents))) return undefined;
      return readKnownTask(Buffer.from(contents, "base64url").toString());
    },
  };
}

/** What this gateway signed has its form; another version of it may have written another one. */
function readKnownTask(text: string): KnownTask | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list) || list.length !== 6) return undefined;
  const [upstream, handshake, session, abilities, tool, taskId] = list as unknown[];
  if (typeof upstream !== "string" || typeof abilities !== "string") return undefined;
  if (typeof tool !== "string" || typeof taskId !== "string") return undefined;
  if (session !== null && typeof session !== "string") return undefined;
  return { upstream, hasHandshake: handshake === 1, session: session ?? undefined, abilities, tool, taskId };
}
