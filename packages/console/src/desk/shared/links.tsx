import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";

export function AccountLink({ id, username }: { readonly id: string; readonly username: string }) {
  return (
    <TextLink to={urlOf(deskRoutes.account, { id })} className="break-all">
      {username.startsWith("closed/") ? "Closed account" : username}
    </TextLink>
  );
}

export function ServerLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <TextLink to={urlOf(deskRoutes.server, { id })} className="wrap-anywhere">
      {name}
    </TextLink>
  );
}

export function MachineLink({ id, assetTag }: { readonly id: string; readonly assetTag: string }) {
  return (
    <TextLink to={urlOf(deskRoutes.machine, { id })} className="font-mono wrap-anywhere">
      {assetTag}
    </TextLink>
  );
}

const maxLength = 13;

/** An id shortened to its start and end. The tooltip shows all of it. */
export function ShortId({ id }: { readonly id: string }) {
  const text = id.length > maxLength ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
  return (
    <code title={id} className="font-mono text-xs whitespace-nowrap">
      {text}
    </code>
  );
}
