/** What pressing keys has come to. */
export type Pressed =
  | { readonly kind: "more" }
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "closed" };

const enter = /[\r\n]/;
const erase = /[\b\u007f]/;
const interrupt = "\u0003";
const endOfInput = "\u0004";
const clear = "\u0015";
// oxlint-disable-next-line eslint/no-control-regex -- cursor keys and the like begin with escape
const sequence = /^\u001b(?:\[[0-9;]*[ -/]*[@-~]|O.|.)?/;
// oxlint-disable-next-line eslint/no-control-regex -- no control character belongs into a line
const control = /[\u0000-\u001f]/;
/** Longer than anything that is asked for. */
const longest = 4_096;

/**
 * One line, typed on a terminal in raw mode: with erasing, and shown as `echo` shows it or not at all.
 * Keys that come after the line are kept for the next question.
 */
export class LineEditor {
  readonly #echo: (text: string) => void;
  #typed: string[] = [];
  #ahead = "";

  constructor(echo: (text: string) => void) {
    this.#echo = echo;
  }

  get ahead(): string {
    return this.#ahead;
  }

  press(keys: string): Pressed {
    let rest = keys;
    while (rest !== "") {
      const skipped = sequence.exec(rest)?.[0];
      if (skipped !== undefined) {
        rest = rest.slice(skipped.length);
        continue;
      }
      const [key = ""] = rest;
      rest = rest.slice(key.length);
      const pressed = this.#press(key);
      if (pressed.kind !== "more") {
        // A line that was pasted with CR LF ends once.
        this.#ahead = key === "\r" ? rest.replace(/^\n/, "") : rest;
        return pressed;
      }
    }
    return { kind: "more" };
  }

  #press(key: string): Pressed {
    if (enter.test(key)) return { kind: "line", line: this.#typed.join("") };
    if (key === interrupt) return { kind: "interrupted" };
    if (key === endOfInput && this.#typed.length === 0) return { kind: "closed" };
    if (erase.test(key)) this.#erase(1);
    else if (key === clear) this.#erase(this.#typed.length);
    else if (!control.test(key) && this.#typed.length < longest) {
      this.#typed.push(key);
      this.#echo(key);
    }
    return { kind: "more" };
  }

  #erase(count: number): void {
    const gone = this.#typed.splice(Math.max(0, this.#typed.length - count));
    if (gone.length > 0) this.#echo("\b \b".repeat(gone.length));
  }
}
