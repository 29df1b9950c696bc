/** A word or phrase that docs/style.md advises against, with the reason and what to write instead. */
export interface DiscouragedWord {
  readonly pattern: RegExp;
  readonly reason: string;
}

export const discouragedWords: readonly DiscouragedWord[] = [
  word("who(?:m|ever|mever)", "hides who acts; name the client, the operator or the service"),
  word("(?:no|some|any|every)body", "hides who acts; name them, or write no one, someone, anyone"),
  word("those who", "hides who acts; name the people"),
  word("that which", "is hard to read; name the thing"),
  word("anew", "is archaic; write again, or a new one"),
  word("by now", "does not say what changed; say it"),
  word("under ?way", "is vague; write in progress, in flight or running"),
  word("in force", "is legal language; write current, active or in effect"),
  word("(?:from )?afar", "is poetic; write remote or remotely"),
  word("mend(?:s|ed|ing)?", "is not used for software; write fix"),
  word("told", "hides who reports it; write what the service answers or the log shows"),
  word("made up", "can mean false; write created, generated or demo"),
  word("(?:is|are|was|were|be) at it", "is vague; write claimed by, or working on"),
  word("how-many-th", "is not a word; give the number, as in attempt 3"),
  word("(?:a|one|the|its|their|this) look", "is vague as a noun; write a read, a query or a check"),
  word("look-ups?", "is not how the field spells it; write lookup"),
  word("sendings|(?:first|second|last|each|every) sending", "is not a term; write attempt"),
  word("deeds?", "is not a term; write change, operation or action"),
  word("dear(?:er|est)", "is ambiguous; write expensive or slow"),
  word("for (?:its|their) owner alone", "is vague; write readable by its owner only"),
  word("lately", "is old-fashioned; write recently"),
  word("from how many", "is hard to read; write of this amount or more"),
  word("stands? beside", "is figurative; write can be combined with, or is next to"),
];

/** A space also matches a line break, with the asterisk that begins the next line of a comment. */
function word(source: string, reason: string): DiscouragedWord {
  const phrase = source.replaceAll(" ?", "[\\s*]*").replaceAll(" ", "[\\s*]+");
  return { pattern: new RegExp(`(?<![\\w-])(?:${phrase})(?![\\w-])`, "gi"), reason };
}
