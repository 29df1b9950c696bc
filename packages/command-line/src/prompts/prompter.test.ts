import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { UsageError } from "../usage-error.ts";
import { PromptEnded, Prompter } from "./prompter.ts";

/** A terminal on which `keys` are typed as soon as the question is on the screen. */
function terminal(question: string, keys: string, { ends = false } = {}) {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isOn: boolean) => modes.push(isOn),
  });
  const modes: boolean[] = [];
  const rawAtWrite: (boolean | undefined)[] = [];
  const interruption = new AbortController();
  let [shown, isTyped] = ["", false];
  const stderr = {
    isTTY: true,
    write: (text: string) => {
      shown += text;
      if (text.includes(question)) rawAtWrite.push(modes.at(-1));
      if (isTyped || !stripVTControlCharacters(shown).includes(question)) return;
      isTyped = true;
      // Keys count only once the prompt listens.
      setImmediate(() => (ends ? stdin.end(keys) : stdin.write(keys)));
    },
  };
  const prompter = new Prompter({ stdin, stderr, signal: interruption.signal });
  return { prompter, stdin, modes, rawAtWrite, interruption, shown: () => shown };
}

const endedBy = (reason: string) => (error: unknown) =>
  error instanceof PromptEnded && error.reason === reason;

describe("prompts", () => {
  test("a line is returned unchanged, with its spaces and letters of any language", async () => {
    const { prompter, modes } = terminal("Name:", " pässwörd  ☃ \r");
    assert.equal(await prompter.ask("Name:"), " pässwörd  ☃ ");
    assert.equal(modes.at(-1), false, "raw mode is left on");
  });

  test("backspace and Ctrl-U erase", async () => {
    const erased = terminal("Name:", "ab\u007fc\r");
    assert.equal(await erased.prompter.ask("Name:"), "ac");
    const cleared = terminal("Password:", "wrong\u0015right\r");
    assert.equal(await cleared.prompter.askHidden("Password:"), "right");
  });

  test("a hidden answer never reaches the screen, not even with Ctrl-T", async () => {
    const { prompter, shown } = terminal("Password:", "tr0ub4\u0014dor&3\r");
    assert.equal(await prompter.askHidden("Password:"), "tr0ub4dor&3");
    assert.doesNotMatch(stripVTControlCharacters(shown()), /tr0|dor|\*|toggle/);
  });

  test("raw mode is on whenever the question is shown", async () => {
    const { prompter, rawAtWrite } = terminal("Password:", "secret\r");
    await prompter.askHidden("Password:");
    assert.ok(rawAtWrite.length > 0 && rawAtWrite.every((isRaw) => isRaw === true));
  });

  test("only yes confirms, and Enter means no", async () => {
    for (const [keys, isYes] of [
      ["y\r", true],
      ["YES\r", true],
      ["n\r", false],
      ["\r", false],
    ] as const) {
      const { prompter } = terminal("Go on?", keys);
      assert.equal(await prompter.askYesNo("Go on?"), isYes, keys);
    }
  });

  test("Ctrl-C and an aborted signal interrupt", async () => {
    for (const keys of ["\u0003", "ab\u0003"]) {
      const { prompter, modes } = terminal("Password:", keys);
      await assert.rejects(prompter.askHidden("Password:"), endedBy("interrupted"));
      assert.equal(modes.at(-1), false);
    }
    const { prompter, interruption } = terminal("Name:", "");
    const asked = prompter.ask("Name:");
    interruption.abort();
    await assert.rejects(asked, endedBy("interrupted"));
  });

  test("Ctrl-D and the end of input decline, unless an answer came first", async () => {
    await assert.rejects(terminal("Name:", "\u0004").prompter.ask("Name:"), endedBy("declined"));
    const ended = terminal("Go on?", "", { ends: true });
    await assert.rejects(ended.prompter.askYesNo("Go on?"), endedBy("declined"));
    const answered = terminal("Password:", "secret\r", { ends: true });
    assert.equal(await answered.prompter.askHidden("Password:"), "secret");
    await assert.rejects(answered.prompter.ask("Name:"), endedBy("declined"));
  });

  test("keys that were typed before the question are ignored", async () => {
    const { prompter, stdin } = terminal("Go on?", "n\r");
    stdin.write("y\r");
    assert.equal(await prompter.askYesNo("Go on?"), false);
  });

  test("control characters in a question are escaped", async () => {
    const { prompter, shown } = terminal("Revoke", "n\r");
    await prompter.askYesNo("Revoke \u009b2J?");
    assert.doesNotMatch(shown(), /\u009b/);
    assert.match(shown(), /\\u009b2J/);
  });

  test("without a terminal a question is a usage error and is not shown", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: false });
    const stderr = { isTTY: true, write: () => assert.fail("it was asked") };
    const prompter = new Prompter({ stdin, stderr, signal: new AbortController().signal });
    await assert.rejects(prompter.askHidden("Password:"), UsageError);
  });
});
