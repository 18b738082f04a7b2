/** Maximum length of a subject in a list, because the first line of a message may have any length. */
const MAX_SUBJECT = 1000;

/** Truncates a subject for a list. */
export function cutSubject(subject: string): string {
  if (subject.length <= MAX_SUBJECT) return subject;
  // The cut may split a surrogate pair.
  return `${subject.slice(0, MAX_SUBJECT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
