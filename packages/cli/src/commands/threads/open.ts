import { cleanLines } from "@ironlease/command-line";
import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";

export const openMessage = command({
  words: ["message", "open"],
  summary: "Decrypt a message that operators sent to your SSH key.",
  description: [
    "Opens it with your private key on this machine and prints the text. Without MESSAGE it takes the latest " +
      "encrypted message of the thread. Without --identity it takes ~/.ssh/id_ed25519 or ~/.ssh/id_rsa, " +
      "whichever fits.",
    "If a passphrase protects the key, use --ciphertext and open the message with age.",
  ],
  arguments: [
    { name: "thread", meaning: "Id of the thread." },
    { name: "message", meaning: "Id of the message.", optional: true },
  ],
  options: {
    identity: { value: "FILE", meaning: "Private key of type Ed25519 or RSA." },
    ciphertext: { meaning: "Print the message as it is, for age." },
  },
  examples: [
    {
      line: "ironlease message open thr_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "The latest encrypted message.",
    },
    {
      line: "ironlease message open thr_01kfxq8n3ve7wt5c2m9hzr4d6y --ciphertext > message.age",
      meaning: "Save it, for age -d -i ~/.ssh/id_ed25519 message.age.",
    },
  ],
  run: async ({ args: { thread: id, message: messageId }, options, context }) => {
    const client = await context.member();
    const { messages } = await client.readThread({ id }, context.calling);
    const found = messages.findLast((message) =>
      messageId === undefined ? message.sealed !== null : message.id === messageId,
    );
    if (found === undefined || found.sealed === null) {
      throw notFound("There is no such encrypted message in this thread.", id);
    }
    const { ciphertext, fingerprint } = found.sealed;
    if (ciphertext === null) throw notFound("The message has expired and was erased.", id);
    if (options.ciphertext) {
      return output({ id: found.id, ciphertext }, () => cleanLines(ciphertext).trimEnd());
    }
    // Loaded here, because no other command needs it.
    const { openSealed } = await import("#steps/open-sealed.ts");
    const text = await openSealed(context.io, { ciphertext, fingerprint }, options.identity);
    return output({ id: found.id, text }, () => cleanLines(text));
  },
});

function notFound(message: string, thread: string): CommandFailure {
  const advice = [`ironlease message show ${thread}`];
  return new CommandFailure({ exit: "notFound", code: "not_found", message, advice });
}
