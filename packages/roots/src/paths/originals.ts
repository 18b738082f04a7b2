/** Suffixes that people and editors append to the name of a copy: `x~`, `x.~1~`, `x.bak`, `x.1`. */
const MARK = /(?:~|\.~[0-9]{1,3}~|\.(?:bak|backup|copy|old|orig|save|tmp|[0-9]{1,2}))$/;

/** Vim's swap files, `.x.swp`. */
const SWAP = /\.sw[a-p]$/;

/** Maximum number of marks that are removed, one at a time. */
const MOST_MARKS = 3;

/** Names with any of the marks above or a mark of Emacs: `#x#`, `.#x`. */
const COPY = /[~#]$|^\.#|\.(?:bak|backup|copy|old|orig|save|tmp|[0-9]{1,2}|sw[a-p])$/;

/** Returns the names of which a name may be a backup copy; the list is empty for an ordinary name. */
export function originalsOf(name: string): readonly string[] {
  if (!COPY.test(name)) return NONE;
  const originals: string[] = [];
  let current = name;
  for (let marks = 0; marks < MOST_MARKS; marks += 1) {
    const next = unmarked(current);
    if (next === undefined) break;
    originals.push(next);
    // The swap file of `x` is `.x.swp`; the swap file of `.x` is `.x.swp` or `..x.swp`.
    if (SWAP.test(current) && next.startsWith('.') && next.length > 1) originals.push(next.slice(1));
    current = next;
  }
  return originals;
}

const NONE: readonly string[] = [];

function unmarked(name: string): string | undefined {
  if (name.length > 2 && name.startsWith('#') && name.endsWith('#')) return name.slice(1, -1);
  if (name.length > 2 && name.startsWith('.#')) return name.slice(2);
  const mark = MARK.exec(name) ?? SWAP.exec(name);
  return mark === null || mark.index === 0 ? undefined : name.slice(0, mark.index);
}
