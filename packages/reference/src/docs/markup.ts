/** Text that is HTML already. Only `markup` makes it, so nothing gets onto a page unescaped. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static of(strings: TemplateStringsArray, values: readonly Content[]): Markup {
    return new Markup(String.raw({ raw: strings }, ...values.map(textOf)));
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template takes: its strings are escaped, its markup is not, nothing is left for undefined. */
export type Content = string | number | Markup | undefined | readonly Content[];

export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return Markup.of(strings, values);
}

function textOf(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.toString();
  if (typeof content === "object") return content.map(textOf).join("");
  return escape(String(content));
}

/** Safe in text and in quoted attributes; the templates quote all of theirs. */
function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** A sentence of the contract, in which words between backticks are code. */
export function prose(text: string): Markup {
  const parts = text.split("`");
  // An odd number of backticks opens what nothing closes: then they are only characters.
  if (parts.length % 2 === 0) return markup`${text}`;
  return markup`${parts.map((part, index) => (index % 2 === 1 ? code(part) : part))}`;
}

export function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

/** The items with something between each two of them. */
export function joined(items: readonly Content[], separator: string): Content {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}
