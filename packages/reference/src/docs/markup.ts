/** Safe HTML. Only `markup` creates it, so nothing reaches a page unescaped. */
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

/** A template value. Strings are escaped, markup is not, and undefined renders as nothing. */
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

/** Safe in text and in quoted attributes. The templates quote every attribute. */
function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Escapes the text and renders words in backticks as code. */
export function prose(text: string): Markup {
  const parts = text.split("`");
  // Unbalanced backticks are plain characters.
  if (parts.length % 2 === 0) return markup`${text}`;
  return markup`${parts.map((part, index) => (index % 2 === 1 ? code(part) : part))}`;
}

export function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

export function joined(items: readonly Content[], separator: string): Content {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}
