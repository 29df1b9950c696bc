import { ownEntry } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { noSuchProfile } from "#profiles/choose.ts";

export const useProfile = command({
  words: ["profile", "use"],
  summary: "Make a profile the current one.",
  arguments: [{ name: "name", meaning: "The profile's name." }],
  fields: ["name"],
  examples: [{ line: "ironlease profile use work", meaning: "Use it when none is named." }],
  run: async ({ args, context }) => {
    context.profiles.change(({ profiles }) => {
      if (ownEntry(profiles, args.name) === undefined) {
        throw noSuchProfile(args.name, { profiles });
      }
      return { current: args.name, profiles };
    });
    return output({ name: args.name }, (shown) => `The current profile is ${shown.name}.`);
  },
});
