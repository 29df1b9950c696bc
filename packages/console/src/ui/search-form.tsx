import { useState } from "react";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import { Search } from "./icons.ts";

interface SearchProps {
  readonly label: string;
  readonly hint?: string;
  /** The current search term. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** Searches on Enter, because the lists are too long to search on every keystroke. */
export function SearchForm(props: SearchProps) {
  // Back and Forward change the text, so remount the field.
  return <SearchField key={props.text} {...props} />;
}

function SearchField({ label, hint, text, onSearch }: SearchProps) {
  const [typed, setSearchField] = useState(text);
  return (
    <form
      role="search"
      aria-label={label}
      className="flex max-w-2xl min-w-0 grow items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <div className="min-w-0 grow">
        <TextField
          name="query"
          label={label}
          {...(hint === undefined ? {} : { hint })}
          type="search"
          value={typed}
          onChange={setSearchField}
          maxLength={128}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button
        type="submit"
        className="mt-7"
        icon={<Search aria-hidden className="size-4" />}
        aria-label="Search"
      />
    </form>
  );
}
