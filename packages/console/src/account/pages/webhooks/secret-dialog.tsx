import { SecretDialog } from "#app/secret-dialog.tsx";

/** Shows the secret of a webhook once. */
export function WebhookSecretDialog(props: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog
      {...props}
      advice="Your receiver verifies signatures with this secret. It is shown only once: copy it now."
      what="secret"
      savedLabel="I have saved this secret"
    />
  );
}
