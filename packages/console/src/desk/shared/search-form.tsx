import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Search } from "#ui/icons.ts";

interface SearchProps {
  readonly label: string;
  readonly hint?: string;
  /** What is searched for now. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** Text to look for, sent with Enter: the lists are too long to search on every letter. */
export function SearchForm(props: SearchProps) {
  // The way back in the browser changes the text from outside: then the field begins anew.
  return <Typed key={props.text} {...props} />;
}

function Typed({ label, hint, text, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      role="search"
      aria-label={label}
      className="flex min-w-0 grow items-start gap-2"
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
          onChange={setTyped}
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
