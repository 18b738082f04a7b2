import path from 'node:path';

/** Matches names of printable ASCII, whose spellings differ at most in case. */
const PLAIN = /^[ -~]*$/;

/** Matches characters that HFS+ and ext4 with casefold ignore in comparisons of names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns a canonical form of all spellings that some file system treats as equal. NTFS, FAT and APFS ignore case, and APFS
 * and HFS+ ignore the Unicode normal form. ZFS can treat a compatibility character, such as `ﬁ`, as equal to the characters
 * `fi`. FAT and NTFS drop trailing dots and spaces.
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
  // Three conversions are necessary: `ſ` and `ß` equal other letters only in upper case, and `ẞ` equals `ß` only in lower case.
  // The final sigma `ς` is a lower-case letter of its own, so it is replaced.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** Returns the given spelling of a name and its spellings in the Unicode forms NFC and NFD, each once. */
export function listNormalForms(name: string): readonly string[] {
  // An ASCII name, like nearly all names, has only one form.
  if (!/[^ -~]/.test(name)) return [name];
  return [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

/** Returns the form in which names that look the same are compared. */
export function toNormalForm(name: string): string {
  return /[^ -~]/.test(name) ? name.normalize('NFC') : name;
}

/** Matches the names of devices, with any extension. A path with such a name is never a file. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\..*|\s*)$/i;
/**
 * Matches short names (8.3) such as `PROGRA~1`. Windows generates a short name as the second name of a file with a long
 * name.
 */
const SHORT = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** Whether a name has the form of a short name (8.3) that FAT and NTFS generate for a long one. */
export function isShortName(name: string): boolean {
  return SHORT.test(name);
}

/** Returns the reason why Windows does not treat a name as an ordinary file name; `undefined` for an ordinary name. */
export function explainUnusualName(name: string): string | undefined {
  if (name.includes(':')) return 'names an alternate data stream of a file';
  if (/[. ]$/.test(name)) return 'ends with a dot or a space, which Windows ignores';
  if (DEVICE.test(name)) return 'is the name of a device';
  if (isShortName(name)) return 'is a short name; give the long one';
  return /[<>"|?*\p{Cc}]/u.test(name) ? 'contains a character that no file name may contain' : undefined;
}
