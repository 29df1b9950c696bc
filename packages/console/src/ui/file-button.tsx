import { Upload } from "./icons.ts";

/** Opens the system's file dialog and hands over the chosen file. */
export function FileButton({
  accept,
  onRead,
}: {
  /** File extensions and media types, as in HTML. */
  readonly accept: string;
  readonly onRead: (file: File) => void;
}) {
  return (
    <label className="inline-flex min-h-11 w-fit items-center gap-2 rounded-md border border-control bg-surface px-4 text-sm font-medium hover:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <Upload aria-hidden className="size-4" />
      Choose file
      <input
        type="file"
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // Choosing the same file again after fixing it must fire a change event.
          event.target.value = "";
          if (file !== undefined) onRead(file);
        }}
      />
    </label>
  );
}
