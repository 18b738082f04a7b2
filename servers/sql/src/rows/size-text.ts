const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: `812 bytes`, `3.4 MB`; a kB is 1000 bytes. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), UNITS.length - 1);
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${UNITS[power] ?? 'bytes'}`;
}

/** Formats a number of rows: `1 row`, `20 rows`. */
export function rowsText(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}
