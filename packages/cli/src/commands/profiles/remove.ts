import { ownEntry } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { noSuchProfile } from "#profiles/choose.ts";

export const removeProfile = command({
  words: ["profile", "remove"],
  summary: "Delete a profile.",
  description: [
    "Deletes the saved session without ending it at the service. To end it, run ironlease logout first.",
  ],
  arguments: [{ name: "name", completes: "profiles", meaning: "Name of the profile." }],
  fields: ["name"],
  examples: [{ line: "ironlease profile remove work", meaning: "Delete the profile work." }],
  run: async ({ args, context }) => {
    context.profiles.change(({ current, profiles }) => {
      const { [args.name]: _, ...others } = profiles;
      if (ownEntry(profiles, args.name) === undefined) {
        throw noSuchProfile(args.name, { profiles });
      }
      return { current: current === args.name ? undefined : current, profiles: others };
    });
    return output({ name: args.name }, (shown) => `Deleted profile ${shown.name}.`);
  },
});
