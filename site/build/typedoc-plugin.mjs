// A plugin of TypeDoc. A signature may name a type that its package does not export, and TypeDoc prints such a name without
// a link. This adds each of these types to the first page that needs it, in a group of its own at the end of the page.
import { Comment, CommentTag, Context, Converter, ReflectionKind } from "typedoc";

/** The heading of the group, which `groupOrder` in typedoc.json puts last. */
const GROUP = "Types without a name to import";

/** Types that stay names: what they stand for helps nobody who uses the package. */
const INTERNAL = {
  CheckedDomain: "it turns a wrong domain into a compile error; the plain form is a text",
  CheckedId: "it turns a wrong id into a compile error; the plain form is a text",
  CheckedSpec: "it turns a wrong definition into a compile error; the plain form is ReasonSpec",
  CheckedSpecs: "it turns wrong definitions into compile errors; the plain form is ReasonSpec by name",
  Observer: "its members get parts of a call in progress, which change between versions",
};

/** Interfaces, type aliases, classes, enums, variables, functions; neither members nor type parameters. */
const DECLARED = 64 | 524_288 | 32 | 384 | 3 | 16;

/** Whether a symbol is declared in the sources of the packages. */
function isOurs(symbol) {
  const files = symbol.declarations?.map((one) => one.getSourceFile().fileName) ?? [];
  const isSource = (file) => !file.includes("/node_modules/") && /\/packages\/[^/]+\/src\//.test(file);
  return files.length > 0 && files.every(isSource) && (symbol.flags & DECLARED) !== 0;
}

/** The entry point that a reflection belongs to. */
function findModule(reflection) {
  let one = reflection;
  while (one !== undefined && !one.kindOf(ReflectionKind.Module)) one = one.parent;
  return one;
}

/** Called by TypeDoc. */
export function load(app) {
  const referenced = new Map();
  const programs = new Map();
  const leftOut = new Set();
  const { createSymbolReference } = Context.prototype;

  Context.prototype.createSymbolReference = function record(symbol, context, name) {
    const module = findModule(context.scope);
    if (module !== undefined && isOurs(symbol)) {
      const symbols = referenced.get(module) ?? new Set();
      referenced.set(module, symbols.add(symbol));
    }
    return createSymbolReference.call(this, symbol, context, name);
  };

  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (reflection.kindOf(ReflectionKind.Module)) programs.set(reflection, context.program);
  });

  /** Adds what one page lacks. Returns whether it added anything, since a type that is added may name others. */
  function complete(context, module, modules) {
    const missing = [...(referenced.get(module) ?? [])].filter(
      (symbol) => context.getReflectionFromSymbol(symbol) === undefined,
    );
    referenced.delete(module);
    for (const symbol of missing) {
      if (symbol.name in INTERNAL) {
        leftOut.add(symbol.name);
        continue;
      }
      const [, source = ""] = /\/(packages\/[^/]+\/src)\//.exec(symbol.declarations[0].getSourceFile().fileName) ?? [];
      const home = [module, ...modules].find((one) => one.name.startsWith(source)) ?? module;
      const scope = context.withScope(home);
      scope.setActiveProgram(programs.get(home));
      scope.converter.convertSymbol(scope, symbol);
      const reflection = context.getReflectionFromSymbol(symbol);
      if (reflection === undefined) continue;
      reflection.comment ??= new Comment();
      reflection.comment.blockTags.push(new CommentTag("@group", [{ kind: "text", text: GROUP }]));
    }
    return missing.length > 0;
  }

  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    (context) => {
      const modules = (context.project.children ?? []).filter((one) => one.kindOf(ReflectionKind.Module));
      for (let isComplete = false; !isComplete; ) {
        isComplete = !modules.map((module) => complete(context, module, modules)).includes(true);
      }
      for (const name of Object.keys(INTERNAL)) {
        if (!leftOut.has(name)) app.logger.warn(`${name} is left out in typedoc-plugin.mjs, but no signature names it`);
      }
    },
    // Before TypeDoc sorts the members into groups.
    1e9,
  );
}
