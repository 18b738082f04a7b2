/** Characters that a reader cannot see, or that change the order of other characters: controls, bidirectional marks, separators of lines. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns a text whose invisible characters are written as escapes, such as `\u{202e}`, except tabs and line breaks. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) =>
    character === '\t' || character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Returns a text on one line, whose invisible characters are written as escapes, including tabs and line breaks. */
export function visibleName(name: string): string {
  return visible(name).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Returns a number with its noun: `1 file`, `2 files`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/**
 * Returns a size with three digits, such as `1.21 MiB`; with four from 1000 of a unit, such as `1023 KiB`. A size below 1 KiB is
 * exact, such as `1000 B`.
 */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const scaled = bytes / 1024 ** power;
  return `${power === 0 ? bytes : scaled >= 1000 ? Math.round(scaled) : scaled.toPrecision(3)} ${UNITS[power] ?? ''}`;
}
