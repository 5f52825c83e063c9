import { isOlder } from "../program/node-version.ts";
import { errorLineOf } from "./error-line.ts";
import { type Finding, quote } from "./finding.ts";
import type { ProgramSeen } from "./program-seen.ts";

/** Whether Node itself is too old for the program. Undefined if nothing says so. */
export function judgeNodeVersion({ stderr, engines }: ProgramSeen): Finding | undefined {
  const running = /^Node\.js v(\d+\.\d+\.\d+)/m.exec(stderr)?.[1];
  const line = errorLineOf(stderr) ?? "";
  // A class or function that a newer Node has in its own modules, or a whole module.
  const sure =
    /module 'node:[\w/]+' does not provide an export|No such built-in module: node:|ERR_UNKNOWN_BUILTIN_MODULE|ERR_UNKNOWN_FILE_EXTENSION[^\n]*\.[cm]?ts\b|Unknown file extension "\.[cm]?ts"|code EBADENGINE|Unsupported engine/i.test(
      stderr,
    );
  const needed = /required: \{[^}]*node: '([^']+)'/.exec(stderr)?.[1] ?? engines;
  const older =
    running !== undefined && needed !== undefined && /SyntaxError|is not a function|is not defined/.test(line)
      ? isOlder(running, needed)
      : false;
  if (!sure && !older) return undefined;
  const has = running === undefined ? "" : ` This is Node.js ${running}.`;
  return {
    id: "D20",
    saw: `${quote(line)}.${has}`,
    ...(needed !== undefined && { because: `The package asks for Node.js ${needed}.` }),
    ...(needed !== undefined && { fix: `Start it with a Node.js that fits ${needed}.` }),
    code: "node --version",
  };
}
