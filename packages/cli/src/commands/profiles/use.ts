import { ownEntry } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { noSuchProfile } from "#profiles/choose.ts";

export const useProfile = command({
  words: ["profile", "use"],
  summary: "Select the current profile.",
  arguments: [{ name: "name", completes: "profiles", meaning: "Name of the profile." }],
  fields: ["name"],
  examples: [{ line: "ironlease profile use work", meaning: "Use work by default." }],
  run: async ({ args, context }) => {
    context.profiles.change(({ profiles }) => {
      if (ownEntry(profiles, args.name) === undefined) {
        throw noSuchProfile(args.name, { profiles });
      }
      return { current: args.name, profiles };
    });
    return output({ name: args.name }, (shown) => `Current profile: ${shown.name}`);
  },
});
