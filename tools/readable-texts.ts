import { parseSync, Visitor } from "oxc-parser";

/** Copy is what the program says: string literals, template texts and JSX text. */
export type TextKind = "prose" | "copy" | "comment";

export interface ReadableText {
  readonly kind: TextKind;
  readonly text: string;
  /** Where the text starts in its file. */
  readonly start: number;
}

/** The texts of a file that people read. */
export function readableTexts(path: string, source: string): readonly ReadableText[] {
  if (path.endsWith(".md")) return [{ kind: "prose", text: blankOutCode(source), start: 0 }];
  return textsOfCode(path, source);
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, " ");
}

/** Replaces code, and quotations of the file named before them, by blanks so that offsets stay. */
function blankOutCode(markdown: string): string {
  return markdown
    .replaceAll(/^ *```.*?^ *```$/gms, blank)
    .replaceAll(/`[^`]*`(?:,? "[^"]*")*/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank);
}

/** A single lower-case word in a literal is a value such as a state or a key, not a sentence. */
function isCode(literal: string): boolean {
  return /^[a-z][\w.-]*$/.test(literal);
}

function textsOfCode(path: string, source: string): readonly ReadableText[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const texts: ReadableText[] = [];
  const modules = new Set<number>();
  const skipModule = ({ source: module }: { source: { start: number } | null }) => {
    if (module !== null) modules.add(module.start);
  };
  // Raw text, so that an offset in it is an offset in the file.
  const add = (node: { start: number; end: number }) => {
    if (modules.has(node.start)) return;
    const text = source.slice(node.start, node.end).replaceAll(/`[^`]*`/g, blank);
    texts.push({ kind: "copy", text, start: node.start });
  };
  new Visitor({
    ImportDeclaration: skipModule,
    ImportExpression: skipModule,
    ExportAllDeclaration: skipModule,
    ExportNamedDeclaration: skipModule,
    Literal: (node) => {
      if (typeof node.value === "string" && !isCode(node.value)) add(node);
    },
    TemplateElement: add,
    JSXText: add,
  }).visit(program);
  return [
    ...texts,
    ...comments.map(({ value, start }) => ({
      kind: "comment" as const,
      text: value,
      start: start + 2,
    })),
  ];
}
