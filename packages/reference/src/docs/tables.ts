import { errors, type ErrorCode } from "@ironlease/contract";
import type { FieldRow } from "./field-rows.ts";
import { markup, prose, type Content, type Markup } from "./markup.ts";

/**
 * On narrow screens each row is displayed as a block, and browsers then drop the table semantics.
 * The explicit roles keep them for screen readers.
 */
export function table(
  label: string,
  kind: string,
  headings: readonly string[],
  rows: readonly (readonly [Content, ...Content[]])[],
): Markup {
  return markup`<table role="table" class="${kind}" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${headings.map(heading)}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody>
</table>`;
}

function heading(text: string): Markup {
  return markup`<th role="columnheader" scope="col">${text}</th>`;
}

function row([first, ...others]: readonly [Content, ...Content[]]): Markup {
  const cells = others.map((content) => markup`<td role="cell">${content}</td>`);
  return markup`<tr role="row"><th role="rowheader" scope="row">${first}</th>${cells}</tr>\n`;
}

export function requestTable(label: string, rows: readonly FieldRow[]): Markup {
  return table(
    label,
    "fields",
    ["Name", "Type", "Required", "Rules"],
    rows.map((field) => [
      fieldName(field),
      field.type,
      field.required ? markup`<strong>required</strong>` : "optional",
      field.rules,
    ]),
  );
}

export function answerTable(label: string, rows: readonly FieldRow[]): Markup {
  return table(
    label,
    "fields",
    ["Name", "Type", "Meaning"],
    rows.map((field) => [
      fieldName(field),
      field.type,
      field.required ? field.rules : [field.rules, " Optional."],
    ]),
  );
}

function fieldName({ parent, name }: FieldRow): Markup {
  const way = parent === "" ? undefined : markup`<span class="parent">${parent}<wbr></span>`;
  return markup`<code>${way}${name}</code>`;
}

export function errorTable(label: string, codes: readonly ErrorCode[]): Markup {
  const byStatus = codes.toSorted((a, b) => errors[a].status - errors[b].status);
  return table(
    label,
    "codes",
    ["Code", "Status", "Message"],
    byStatus.map((name) => [errorLink(name), errors[name].status, prose(errors[name].message)]),
  );
}

export function errorLink(name: ErrorCode): Markup {
  return markup`<a href="#${errorAnchor(name)}"><code>${name}</code></a>`;
}

export function errorAnchor(name: ErrorCode): string {
  return `error-${name}`;
}
