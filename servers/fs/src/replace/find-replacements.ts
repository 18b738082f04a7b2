import type { Course } from '../walk/course.ts';
import type { Replacement, ReplacementQuery, ReplacementSummary, TextReplacements } from '../walk/job.ts';
import { compileMatcher } from '../walk/pattern.ts';
import { replacementOf } from './expand-replacement.ts';

/** Finds what is to be replaced in texts, and what is to come there. */
export function findReplacements(query: ReplacementQuery, course: Course<TextReplacements>): ReplacementSummary {
  const finder = new Finder(query, course);
  for (const [index, text] of query.texts.entries()) {
    const { replacements, end } = finder.find(text);
    if (end !== 'complete') return { end };
    course.found({ text: index, replacements });
  }
  return { end: 'complete' };
}

class Finder {
  readonly #course: Course<TextReplacements>;
  readonly #matches: ReturnType<typeof compileMatcher>;
  readonly #expand: ReturnType<typeof replacementOf>;
  #left: number;
  #room: number;

  constructor({ wanted, replacement, maxMatches, maxCharacters }: ReplacementQuery, course: Course<TextReplacements>) {
    this.#course = course;
    this.#matches = compileMatcher(wanted);
    this.#expand = replacementOf(replacement, wanted.regex);
    this.#left = maxMatches;
    this.#room = maxCharacters;
  }

  find(text: string): ReplacementSummary & { readonly replacements: readonly Replacement[] } {
    const replacements: Replacement[] = [];
    for (const match of this.#matches(text)) {
      if (this.#course.isOver) return { replacements, end: 'time' };
      if (this.#left === 0) return { replacements, end: 'limit' };
      const newText = this.#expand(match, this.#room);
      if (newText === undefined) return { replacements, end: 'size' };
      this.#room -= newText.length;
      this.#left -= 1;
      replacements.push({ start: match.index, end: match.index + match[0].length, newText });
    }
    return { replacements, end: this.#course.lookUp() ? 'time' : 'complete' };
  }
}
