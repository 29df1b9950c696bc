import { Document, Scalar, visit } from "yaml";
import { cleanLines, cleanText } from "../clean-text.ts";

/** YAML of the same value. Control characters are escaped, which only double quotes can. */
export function yamlText(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      const { value: text } = node;
      if (typeof text === "string" && cleanText(text) !== text) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return cleanLines(document.toString({ lineWidth: 0 }).trimEnd());
}
