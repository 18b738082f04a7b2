/** Devices whatever their extension; a path with one of them never is a file. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\..*|\s*)$/i;
/** What Windows makes up for programs of 1993; another name of a file whose own name says more. */
const SHORT = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** Whether a name has the form of a short name (8.3) that FAT and NTFS generate for a long one. */
export function isShortName(name: string): boolean {
  return SHORT.test(name);
}

/** Why Windows would take a name for something else than it says; `undefined` for an ordinary one. */
export function strangeness(name: string): string | undefined {
  if (name.includes(':')) return 'names a stream of a file';
  if (/[. ]$/.test(name)) return 'ends with a dot or a space, which Windows leaves out';
  if (DEVICE.test(name)) return 'is the name of a device';
  if (isShortName(name)) return 'is a short name; give the long one';
  return /[<>"|?*\p{Cc}]/u.test(name) ? 'has a character that no file name has' : undefined;
}
