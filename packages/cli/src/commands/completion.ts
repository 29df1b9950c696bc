import { completionScript, shells } from "@ironlease/command-line/completion";
import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const completion = command({
  words: ["completion"],
  summary: "Print a shell completion script.",
  arguments: [{ name: "shell", choices: shells, meaning: "Shell to complete in." }],
  examples: [
    {
      line: 'eval "$(ironlease completion bash)"',
      meaning: "Bash, for this shell. Add it to ~/.bashrc to keep it.",
    },
    {
      line: 'eval "$(ironlease completion zsh)"',
      meaning: "Zsh, after compinit.",
    },
    {
      line: "ironlease completion fish > ~/.config/fish/completions/ironlease.fish",
      meaning: "Fish.",
    },
  ],
  run: async ({ args, program }) => {
    const script = completionScript(args.shell, program);
    return output({ shell: args.shell, script }, () => script);
  },
});
