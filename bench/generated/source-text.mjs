const WORDS =
  'account audit batch cache client config cursor event filter handler index ledger lock model order parser patch path query queue reader record render result route schema scope session state store stream table token type value view walker watch window writer'.split(
    ' ',
  );

/** Returns a line that resembles code. */
export function codeOf(random) {
  const indent = '  '.repeat(Math.floor(random() * 4));
  const number = Math.floor(random() * 100);
  return `${indent}const ${wordOf(random)}${number} = ${wordOf(random)}.${wordOf(random)}(${sentenceOf(3, random)}, '${wordOf(random)}');\n`;
}

/** Generates lines until they have at least this number of characters. */
export function linesOf(size, lineOf) {
  const lines = [];
  for (let length = 0; length < size; length += lines.at(-1).length) lines.push(lineOf());
  return lines.join('');
}

export function sentenceOf(words, random) {
  return Array.from({ length: words }, () => wordOf(random)).join(' ');
}

export function wordOf(random) {
  return WORDS[Math.floor(random() * WORDS.length)];
}
