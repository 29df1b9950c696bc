import { ownEntry } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { noSuchProfile } from "#profiles/choose.ts";

export const removeProfile = command({
  words: ["profile", "remove"],
  summary: "Forget a profile.",
  description: [
    "Its session is forgotten here and not ended at the service: ironlease logout does that first.",
  ],
  arguments: [{ name: "name", meaning: "The profile's name." }],
  fields: ["name"],
  examples: [{ line: "ironlease profile remove work", meaning: "Forget it." }],
  run: async ({ args, context }) => {
    context.profiles.change(({ current, profiles }) => {
      const { [args.name]: _, ...others } = profiles;
      if (ownEntry(profiles, args.name) === undefined) {
        throw noSuchProfile(args.name, { profiles });
      }
      return { current: current === args.name ? undefined : current, profiles: others };
    });
    return output({ name: args.name }, (shown) => `The profile ${shown.name} is forgotten.`);
  },
});
