/** The line that says how many items of a list a page does not show, and how to go on. */
export function restOf(list: { readonly total: number; readonly next_cursor?: string }, shown: number, items: string): string {
  const next = list.next_cursor === undefined ? '' : `; go on with cursor ${list.next_cursor}`;
  return `… ${shown} of ${list.total} ${items} are shown${next}`;
}
