/** Most characters of a subject in a list: a message may be one line of any length. */
const MAX_SUBJECT = 1000;

/** The beginning of a subject that is longer than a list shows. */
export function cutSubject(subject: string): string {
  if (subject.length <= MAX_SUBJECT) return subject;
  // A character may have two halves.
  return `${subject.slice(0, MAX_SUBJECT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
