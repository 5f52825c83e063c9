import { type JsonObject, memberAt } from "@recourse/wire";
import { amendFault, stampFault } from "../fault/amend.ts";
import { pack } from "../fault/clean.ts";
import type { Fault } from "../fault/fault.ts";
import type { Effect } from "../fault/kinds.ts";
import type { ReasonOptions } from "../reasons/build-safely.ts";
import { createDecoder } from "./define.ts";
import type { DecodeContext, EncodeContext, ExtensibleDialect, FoundCode, TableReason } from "./dialect.ts";
import {
  checkExtensible,
  type DialectExtension,
  type ExtensionRow,
  hasFixed,
  isInRanges,
  readExtension,
} from "./extension.ts";

/** What an extended dialect was made of, so that it can be extended again. */
const EXTENSION_PARTS = /* @__PURE__ */ new WeakMap<
  object,
  { base: unknown; rows: readonly ExtensionRow[]; retired: readonly number[] }
>();

/**
 * A dialect with codes of your own beside those of a shipped one. Your reasons, and those of the library that you name, are
 * written with your codes and fields and are read back from them; everything else is the shipped dialect's. A mistake in the
 * definition throws a `TypeError`.
 *
 * @example
 * import { defineReasons, slot } from "@recourse/faults";
 * import { closient, extendDialect } from "@recourse/faults/dialects";
 *
 * const shop = defineReasons("shop", {
 *   out_of_stock: {
 *     kind: "precondition_failed",
 *     text: "Only {left} are left.",
 *     slots: { left: slot.integer },
 *   },
 * });
 * export const acme = extendDialect(closient, {
 *   name: "acme",
 *   codes: [{ code: -32250, reason: shop.out_of_stock, fields: { left: "units_left" } }],
 * });
 * acme.decode(acme.encode(shop.out_of_stock.fault({ left: 2 })))?.params; // { left: 2 }
 */
export function extendDialect<
  Wire,
  Encode extends EncodeContext,
  Decode extends DecodeContext,
  const Reasons extends readonly TableReason[],
>(
  dialect: ExtensibleDialect<Wire, Encode, Decode>,
  extension: DialectExtension<Reasons>,
): ExtensibleDialect<Wire, Encode, Decode> {
  checkExtensible(dialect);
  const earlier = EXTENSION_PARTS.get(dialect) ?? { base: dialect, rows: [], retired: [] };
  const base = earlier.base as ExtensibleDialect<Wire, Encode, Decode>;
  const { codes } = base;
  const rows = readExtension(base, extension as DialectExtension, earlier);
  // A row with fixed members is more special than one without.
  const bySpecial = rows.toSorted((one, other) => Object.keys(other.fixed).length - Object.keys(one.fixed).length);

  /** The fault as the shipped dialect gets it: an extended code carries the fields that you named and no other values. */
  const bare = (fault: Fault): Fault => amendFault(fault, { params: undefined });

  function rowFor(fault: Fault, context: Encode | undefined): ExtensionRow | undefined {
    const row = rows.find(({ reason }) => reason.id === fault.reason);
    return row !== undefined && isInRanges(codes.codeOf(bare(fault), context), codes) ? row : undefined;
  }

  function rowOf(found: FoundCode): ExtensionRow | undefined {
    const isCode = ({ code, name }: ExtensionRow) =>
      found.code === undefined ? name === found.name : code === found.code;
    return bySpecial.find((row) => isCode(row) && hasFixed(found.fields, row.fixed));
  }

  function encode(fault: Fault, context?: Encode): Wire {
    const row = rowFor(fault, context);
    if (row === undefined) return base.encode(fault, context);
    const fields = { ...row.fixed, ...writeFields(fault, row) };
    const plain = codes.replace(base.encode(bare(fault), context), { ...row, fields });
    // A reader that knows only the shipped dialect must not think less of the effect, and this one not more.
    const implied = readEffect(plain, codes.find(plain)?.restore(row.baseCode, row.members));
    return implied === fault.effect ? plain : codes.replace(plain, { ...row, fields, effect: fault.effect });
  }

  /** The effect that the shipped dialect reads: of your code if it can, else of its own code in the same reply. */
  function readEffect(wire: unknown, restored: unknown, context?: Decode): Effect | undefined {
    return (base.decode(wire, context) ?? base.decode(restored, context))?.effect;
  }

  function decode(wire: unknown, context: Decode): Fault | undefined {
    const found = codes.find(wire);
    const row = found && rowOf(found);
    if (found === undefined || row === undefined) return base.decode(wire, context);
    const restored = found.restore(row.baseCode, row.members);
    const read = base.decode(restored, context);
    if (read === undefined) return undefined;
    const effect = readEffect(wire, restored, context) ?? read.effect;
    return readAs(row, read, readFields(found.fields, row), { ...context, effect });
  }

  /** What the shipped dialect reads once your code is replaced by its own. */
  function restoredAfter(fault: Fault, row: ExtensionRow, context: Encode | undefined): Fault {
    const after = base.afterRoundTrip(bare(fault), context);
    const { fields } = codes.find(base.encode(bare(fault), context)) ?? {};
    const isReplaced = row.members.some((member) => memberAt(fields, member) !== undefined);
    if (after.effect === fault.effect && !isReplaced) return after;
    // A member of yours took the place of one that it wrote, or it cannot say by itself that a call had no effect
    // although its code implies one. Then it may also name a wait.
    const wire = codes.find(encode(fault, context))?.restore(row.baseCode, row.members);
    return base.decode(wire) ?? after;
  }

  function afterRoundTrip(fault: Fault, context?: Encode): Fault {
    const own = rowFor(fault, context);
    if (own !== undefined) {
      const params = readFields(writeFields(fault, own), own);
      return readAs(own, restoredAfter(fault, own, context), params, {
        textPolicy: "received",
        effect: fault.effect,
      });
    }
    const after = base.afterRoundTrip(fault, context);
    // The shipped dialect may write a code of yours as well: one that you added fields to, or one in a relayed body.
    const found = codes.find(base.encode(fault, context));
    const row = found && rowOf(found);
    if (found === undefined || row === undefined) return after;
    return readAs(row, after, readFields(found.fields, row), { textPolicy: "received", effect: after.effect });
  }

  const extended: ExtensibleDialect<Wire, Encode, Decode> = {
    ...base,
    name: extension.name,
    encode,
    decode: createDecoder(decode),
    afterRoundTrip,
    codes: {
      ...codes,
      codeOf: (fault, context) => rowFor(fault, context)?.code ?? codes.codeOf(fault, context),
      published: () => ({ ...codes.published(), ...publishedRows(rows) }),
    },
  };
  EXTENSION_PARTS.set(extended, { base, rows, retired: [...earlier.retired, ...(extension.retired ?? [])] });
  return extended;
}

/**
 * The code of each row as text. Members that are always the same belong to it, whether or not another code has the number
 * today: a published code keeps its text when another joins it.
 */
function publishedRows(rows: readonly ExtensionRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.map(({ code, fixed, reason }) => {
      const members = Object.entries(fixed).toSorted(([one], [other]) => (one < other ? -1 : 1));
      const told = members.length === 0 ? "" : ` ${JSON.stringify(Object.fromEntries(members))}`;
      return [`${code}${told}`, reason.id];
    }),
  );
}

/** The members that a fault is written with. */
function writeFields({ params }: Fault, { fields }: ExtensionRow): JsonObject {
  return Object.fromEntries(
    fields.flatMap(([param, member]) => {
      const value = params?.[param];
      return value === undefined || value === null ? [] : [[member, value] as const];
    }),
  );
}

/** The values in the members of a reply. The slots of the reason check them. */
function readFields(from: unknown, { fields }: ExtensionRow): JsonObject {
  return Object.fromEntries(
    fields.flatMap(([param, member]) => {
      const value = memberAt(from, member);
      return value === undefined || value === null ? [] : [[param, value] as const];
    }),
  );
}

/** What the shipped dialect read, as a fault of the reason that the code stands for. */
function readAs(row: ExtensionRow, read: Fault, params: JsonObject, options: ReasonOptions): Fault {
  const afterMs = read.recourse.find((move) => move.do === "retry")?.afterMs;
  const { basis, retry, issues, limits, quote, cause, origin, incident, at, trace } = read;
  const details = pack<ReasonOptions>({ basis, retry, issues, limits, quote, afterMs, origin });
  const fault = row.reason.fault(params, { ...options, ...details });
  // The sender's sentence says nothing new if all values of the message came along.
  const said = fault.quote?.text === fault.message ? undefined : fault.quote;
  return stampFault(amendFault(fault, { quote: said, cause }), { incident, at, trace });
}
