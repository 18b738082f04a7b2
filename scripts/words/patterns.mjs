/**
 * Words with which a sentence may not begin, because such a sentence often has no subject. A question may begin with these words.
 */
const OPENING = /^(?:Of|By|As|Who|Whose|Whoever|What|Whatever|Those|Where)\b(?!.*\?$)/;

const ANYWHERE = [
  /\b(?:tells|told|tell of)\b/i,
  /\b(?:nobody|somebody|whoever|anew)\b/i,
  /\b(?:is|are|was|were) none\b/i,
  /\bso (?:many|often|long)\b(?! as)/i,
  /\bbelongs? into\b/i,
  /\bhears? of\b/i,
];

/** Matches the space between two sentences. An abbreviation such as "e.g." does not end a sentence. */
const SENTENCE_END = /(?<=[.!?]["')\]]?)(?<!\b(?:e\.g|i\.e|etc|vs)\.)\s+(?=["'(`]?[A-Z])/;

/** Returns the sentences of a passage that have an unclear pattern, each with the words that show it. */
export function findPatterns(passage) {
  return passage
    .replace(/\s+/g, ' ')
    .trim()
    .split(SENTENCE_END)
    .flatMap((sentence) => {
      const match = OPENING.exec(sentence) ?? ANYWHERE.map((pattern) => pattern.exec(sentence)).find(Boolean);
      return match ? [{ word: match[0], sentence }] : [];
    });
}
