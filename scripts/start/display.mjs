import { styleText } from 'node:util';

/** Maximum width of a line in columns. Lines to be copied may be longer. */
const WIDTH = 80;
const SHOWN_LINES = 8;
const INDENT = '   ';
const MARGIN = '  │ ';

const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR;

export function styled(format, text) {
  return coloured ? styleText(format, text) : text;
}

export function title(text) {
  return `${styled('bold', text)}\n${styled('dim', '─'.repeat(text.length))}`;
}

/** Formats a name and its value, which may take several lines. */
export function fact(name, value) {
  const [first, ...others] = wrap(value, WIDTH - 12);
  return [styled('dim', name.padEnd(12)) + first, ...others.map((line) => ' '.repeat(12) + line)].join('\n');
}

/** Formats one call: the question, the request that answers the question, its duration, and the shortened answer. */
export function exchange({ number, question, request, milliseconds, answer }) {
  const asked = wrap(`${request}  (${milliseconds.toFixed(0)} ms)`, WIDTH - INDENT.length);
  return [
    styled('bold', `${number}. ${question}`),
    ...asked.map((line) => INDENT + styled('cyan', line)),
    ...shorten(answer).map((line) => (styled('dim', MARGIN) + line).trimEnd()),
  ].join('\n');
}

/** Returns the first lines of a text, and a line with the number of omitted lines. */
function shorten(text) {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, SHOWN_LINES).flatMap((line) => wrap(line, WIDTH - MARGIN.length));
  const hidden = lines.length - SHOWN_LINES;
  return hidden > 0 ? [...shown, styled('dim', `… ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`)] : shown;
}

/** Breaks a line at spaces. Breaks a word that is longer than `width` within the word. */
function wrap(line, width) {
  const parts = line.trimEnd().match(new RegExp(`.{1,${width}}(?=\\s|$)|.{1,${width}}`, 'gu')) ?? [''];
  return parts.map((part, index) => (index === 0 ? part : part.trimStart()));
}
