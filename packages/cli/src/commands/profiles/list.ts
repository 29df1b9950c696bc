import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listProfiles = command({
  words: ["profile", "list"],
  summary: "List saved profiles.",
  description: ["Session secrets are never shown. Nothing is sent."],
  examples: [
    { line: "ironlease profile list", meaning: "All profiles; the current one is marked." },
  ],
  run: async ({ context }) => {
    const { current, profiles } = context.profiles.read();
    const list = Object.entries(profiles).map(([name, profile]) => ({
      name,
      current: name === current,
      url: profile.url,
      username: profile.session?.username ?? null,
      caFile: profile.caFile ?? null,
      fingerprint256: profile.fingerprint256 ?? null,
    }));
    return output({ profiles: list }, (shown, style) =>
      shown.profiles.length === 0
        ? "No profiles yet. To create one: ironlease login"
        : table(
            style,
            [
              { heading: "NAME", cell: ({ name }) => name },
              { heading: "", cell: ({ current }) => (current ? style.green("current") : "") },
              { heading: "SERVICE", cell: ({ url }) => url },
              { heading: "SIGNED IN AS", cell: ({ username }) => username ?? "-" },
              {
                heading: "TRUSTS",
                cell: ({ caFile, fingerprint256 }) =>
                  caFile ?? fingerprint256?.slice(0, 23).concat("…") ?? "system CAs",
              },
            ],
            shown.profiles,
          ),
    );
  },
});
