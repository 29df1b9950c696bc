import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "#ui/button.tsx";
import { LogOut } from "#ui/icons.ts";
import { ThemeSwitch } from "#ui/theme-switch.tsx";

/** Who is signed in, the theme, and the button to sign out. */
export function Corner({
  username,
  detail,
  link,
  signOut,
}: {
  readonly username: string | undefined;
  /** Beside the name: a balance, a role. */
  readonly detail: ReactNode;
  /** Beside the theme switch. */
  readonly link?: ReactNode;
  readonly signOut: UseMutationResult<unknown, Error, void>;
}) {
  return (
    <div className="flex flex-col gap-3 border-t border-line px-2 pt-4">
      <div className="flex items-center justify-between gap-3 text-sm">
        <span className="min-w-0 truncate font-medium" title={username}>
          {username}
        </span>
        {detail}
      </div>
      <div className="flex items-center justify-between gap-2">
        <ThemeSwitch />
        {link}
      </div>
      <Button
        size="small"
        isPending={signOut.isPending}
        icon={<LogOut aria-hidden className="size-4" />}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </Button>
      {signOut.isError && (
        <p role="alert" className="text-sm text-bad">
          Could not sign out: the service cannot be reached. Try again.
        </p>
      )}
    </div>
  );
}
