import path from 'node:path';

/** Names in which only the case of letters can be written in another way. */
const PLAIN = /^[ -~]*$/;

/** Characters that HFS+, and ext4 with casefold, leave out when they compare names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * One form for every spelling of a name that some file system takes for the same: NTFS, FAT and APFS ignore case, APFS and HFS+ the
 * normal form, ZFS compatibility characters too, and FAT and NTFS drop dots and spaces at the end.
 *
 * Two names with one form may still be two files. Rules that deny compare this form; whatever permits compares the name itself.
 */
export function foldName(name: string): string {
  const folded = foldLetters(name);
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === '.' || folded[end - 1] === ' ')) end -= 1;
  return end === 0 ? folded : folded.slice(0, end);
}

/** The same for each name of an absolute path. */
export function foldPath(absolute: string): string {
  return absolute.split(path.sep).map(foldName).join(path.sep);
}

/** The same for a text that is not one name, such as a glob: its end stays. */
export function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const letters = text.normalize('NFKD').replaceAll(IGNORED, '');
  // By upper case: `ſ` and `ß` are like others only there, and `ẞ` is like `ß` only in lower case. A sigma that ends a word has a form of its own.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
