import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listProfiles = command({
  words: ["profile", "list"],
  summary: "List the services that this machine knows.",
  description: ["Never what they are signed in with. Nothing is sent."],
  examples: [{ line: "ironlease profile list", meaning: "All profiles, the current one marked." }],
  run: async ({ context }) => {
    const { current, profiles } = context.profiles.read();
    const list = Object.entries(profiles).map(([name, profile]) => ({
      ...{ name, current: name === current, url: profile.url },
      username: profile.session?.username ?? null,
      caFile: profile.caFile ?? null,
      fingerprint256: profile.fingerprint256 ?? null,
    }));
    return output({ profiles: list }, (shown, style) =>
      shown.profiles.length === 0
        ? "There are no profiles yet: ironlease login makes one."
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
                  caFile ?? fingerprint256?.slice(0, 23).concat("…") ?? "the system's authorities",
              },
            ],
            shown.profiles,
          ),
    );
  },
});
