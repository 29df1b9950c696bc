import { completionScript, shells } from "@ironlease/command-line/completion";
import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const completion = command({
  words: ["completion"],
  summary: "Print a script that makes a shell complete ironlease's words.",
  arguments: [{ name: "shell", choices: shells, meaning: "Which shell." }],
  examples: [
    {
      line: 'eval "$(ironlease completion bash)"',
      meaning: "For this bash; in ~/.bashrc for all.",
    },
    {
      line: 'eval "$(ironlease completion zsh)"',
      meaning: "The same for zsh, after compinit.",
    },
    {
      line: "ironlease completion fish > ~/.config/fish/completions/ironlease.fish",
      meaning: "For every fish.",
    },
  ],
  run: async ({ args, program }) => {
    const script = completionScript(args.shell, program);
    return output({ shell: args.shell, script }, () => script);
  },
});
