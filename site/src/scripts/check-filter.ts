// Filters the tables of checks by severity, by group and by words. The tables are complete without it.

/** A row of a table of checks. */
interface CheckRow {
  readonly row: HTMLTableRowElement;
  readonly group: string;
  readonly severity: string;
  readonly words: string;
}

/** A group of checks: its heading, what follows it up to the next heading, and its name. */
interface CheckGroup {
  readonly name: string;
  readonly parts: readonly Element[];
}

/** The sections whose table lists checks. */
function findGroups(content: Element): readonly CheckGroup[] {
  const groups: { name: string; parts: Element[] }[] = [];
  for (const part of content.children) {
    const heading = part.matches("h2") ? part : part.querySelector(":scope > h2");
    if (heading !== null) groups.push({ name: heading.textContent ?? "", parts: [part] });
    else groups.at(-1)?.parts.push(part);
  }
  return groups.filter(({ parts }) => parts.some((part) => part.querySelector("thead th")?.textContent === "Check"));
}

function readRows({ name, parts }: CheckGroup): readonly CheckRow[] {
  return parts
    .flatMap((part) => [...part.querySelectorAll<HTMLTableRowElement>("tbody tr")])
    .map((row) => {
      const [severity = ""] = /^\w+/.exec(row.cells[2]?.textContent ?? "") ?? [];
      return { row, group: name, severity, words: (row.textContent ?? "").toLowerCase() };
    });
}

function makeSelect(name: string, values: readonly string[]): HTMLLabelElement {
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.name = name.toLowerCase();
  select.append(new Option("All", ""), ...values.map((value) => new Option(value, value)));
  label.append(name, select);
  return label;
}

function makeForm(groups: readonly CheckGroup[], rows: readonly CheckRow[]): HTMLFormElement {
  const form = document.createElement("form");
  form.className = "filters not-content";
  form.role = "search";
  const field = document.createElement("label");
  field.className = "filter-field";
  const input = document.createElement("input");
  input.type = "search";
  input.name = "q";
  field.append("Find a check", input);
  const status = document.createElement("output");
  status.className = "filter-count";
  form.append(
    field,
    makeSelect("Severity", [...new Set(rows.map(({ severity }) => severity))]),
    makeSelect(
      "Group",
      groups.map(({ name }) => name),
    ),
    status,
  );
  return form;
}

/** Puts the filter above the first group of the page. */
function startFilter(content: Element): void {
  const groups = findGroups(content);
  const rows = groups.flatMap(readRows);
  const first = groups[0]?.parts[0];
  if (first === undefined) return;
  const form = makeForm(groups, rows);
  const update = () => {
    const given = new FormData(form);
    const [severity, group, words] = ["severity", "group", "q"].map((name) =>
      String(given.get(name) ?? "").toLowerCase(),
    );
    let shown = 0;
    for (const one of rows) {
      const fits =
        (severity === "" || one.severity === severity) &&
        (group === "" || one.group.toLowerCase() === group) &&
        (words ?? "").split(/\s+/).every((word) => one.words.includes(word));
      one.row.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const { name, parts } of groups) {
      const isEmpty = rows.every(({ row, group: of }) => of !== name || row.hidden);
      for (const part of parts) (part as HTMLElement).hidden = isEmpty;
    }
    const output = form.querySelector("output");
    if (output !== null)
      output.value = shown === 0 ? "No check fits. Choose less." : `${shown} of ${rows.length} checks`;
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  first.before(form);
  update();
}

const content = document.querySelector(".sl-markdown-content");
if (content !== null) startFilter(content);
