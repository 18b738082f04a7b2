import path from 'node:path';

/** Names whose spellings differ at most in case. */
const PLAIN = /^[ -~]*$/;

/** Characters that HFS+ and ext4 with casefold ignore in comparisons of names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns a canonical form of all spellings that some file system treats as equal. NTFS, FAT and APFS ignore case, and APFS and
 * HFS+ ignore the normal form. ZFS also ignores compatibility characters, and FAT and NTFS drop trailing dots and spaces.
 *
 * Two names with the same form may still be two files. Deny rules compare this form; allow rules compare the name itself.
 */
export function foldName(name: string): string {
  const folded = foldLetters(name);
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === '.' || folded[end - 1] === ' ')) end -= 1;
  return end === 0 ? folded : folded.slice(0, end);
}

/** Applies {@link foldName} to each name of an absolute path. */
export function foldPath(absolute: string): string {
  return absolute.split(path.sep).map(foldName).join(path.sep);
}

/** Like {@link foldName}, but keeps trailing dots and spaces, for texts such as globs. */
export function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replaceAll(IGNORED, '');
  // `ſ` and `ß` equal other letters only in upper case, and `ẞ` equals `ß` only in lower case. A final sigma has a form of its own.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
