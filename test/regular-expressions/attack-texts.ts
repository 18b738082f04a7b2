import { parseRegExpLiteral, type AST } from '@eslint-community/regexpp';

/** A text of any length: a beginning, a part that is repeated, and an end. */
export interface AttackText {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

export interface AttackOptions {
  /** Tries more pairs of characters and more ends. */
  readonly exhaustive?: boolean;
}

/**
 * Maximum number of characters that are tried for a part that matches one character. A group has at most three times as many
 * texts.
 */
const SAMPLES = 5;

/** Maximum size of an alphabet whose pairs of characters are tried. Exhaustive tests try the pairs of every alphabet. */
const PAIRED = 9;

/** Characters that are common in attacks, and that are tried even if the expression does not contain them. */
const PROBES = [...' \n\t\r\0aA0!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~é\u00A0中'];

type Choice = readonly string[];

/**
 * Derives attack texts from an expression. Each consists of a text that leads to a repeated part, the repeated part, and an
 * end that may not match.
 */
export function attackTexts(source: string, flags: string, { exhaustive = false }: AttackOptions = {}): readonly AttackText[] {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const alphabet = alphabetOf(pattern, flags);
  const samples = new Samples(alphabet, flags);
  const { prefixes, pumps } = samples.of(pattern);
  const singles = exhaustive || alphabet.length <= PAIRED ? pairsOf(alphabet) : alphabet;
  const ends = ['', '\0', alphabet.join(''), alphabet.toReversed().join(''), ...(exhaustive ? alphabet : [])];
  const repeated = [...new Set([...singles, ...pumps])].filter((pump) => pump !== '');
  return [...new Set(['', ...prefixes])].flatMap((prefix) =>
    repeated.flatMap((pump) => [...new Set(ends)].map((suffix) => ({ prefix, pump, suffix }))),
  );
}

/** Returns the text with its repeated part as often as fits into a length, at least once. */
export function textOf({ prefix, pump, suffix }: AttackText, length: number): string {
  return prefix + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + suffix;
}

function pairsOf(alphabet: Choice): Choice {
  return alphabet.flatMap((first) => alphabet.map((second) => (first === second ? first : first + second)));
}

/** Returns one character for each set of characters that all parts of the expression treat alike. */
function alphabetOf(pattern: AST.Pattern, flags: string): Choice {
  const tests: RegExp[] = [/\w/, /\s/, /[\n\r]/];
  const characters = new Set<string>();
  visit(pattern, (node) => {
    if (node.type === 'Character') characters.add(String.fromCodePoint(node.value));
    if (node.type === 'CharacterClassRange')
      for (const { value } of [node.min, node.max]) characters.add(String.fromCodePoint(value));
    if (isOneCharacter(node)) tests.push(oneCharacter(node, flags));
  });
  const representatives = new Map<string, string>();
  for (const character of [...PROBES, ...characters]) {
    const signature = tests.map((test) => (test.test(character) ? '1' : '0')).join('');
    if (!representatives.has(signature)) representatives.set(signature, character);
  }
  return [...representatives.values()];
}

type OneCharacter = AST.Character | AST.CharacterSet | AST.CharacterClass;

function isOneCharacter(node: AST.Node): node is OneCharacter {
  return node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';
}

/** Returns an expression for exactly one character that the node matches. A character with a special meaning is escaped. */
function oneCharacter(node: OneCharacter, flags: string): RegExp {
  const source = node.type === 'Character' ? String.raw`\u${node.value.toString(16).padStart(4, '0')}` : node.raw;
  return new RegExp(`^${node.type === 'Character' && node.value > 0xffff ? node.raw : source}$`, flags.replaceAll(/[gymd]/g, ''));
}

function visit(node: AST.Node, see: (node: AST.Node) => void): void {
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

function childrenOf(node: AST.Node): readonly AST.Node[] {
  if (node.type === 'Quantifier') return [node.element];
  if ('alternatives' in node) return node.alternatives;
  return 'elements' in node ? node.elements : [];
}

/** Collects texts that parts of an expression match: prefixes that lead to a repeated part, and texts to repeat. */
class Samples {
  readonly #alphabet: Choice;
  readonly #flags: string;
  readonly #prefixes: string[] = [];
  readonly #pumps: string[] = [];

  constructor(alphabet: Choice, flags: string) {
    this.#alphabet = alphabet;
    this.#flags = flags;
  }

  of(pattern: AST.Pattern): { readonly prefixes: Choice; readonly pumps: Choice } {
    for (const alternative of pattern.alternatives) this.#collect(alternative, '');
    return { prefixes: this.#prefixes, pumps: this.#pumps };
  }

  /**
   * Collects texts to repeat for each subsequence and each repeated part of a sequence, and the prefixes of the repeated parts.
   */
  #collect({ elements }: AST.Alternative, before: string): void {
    const parts = elements.map((element) => this.#matched(element));
    const starts = elements.flatMap((_, index) => (isWithinWord(elements, index) ? [] : [index]));
    let prefix = before;
    for (const [index, element] of elements.entries()) {
      this.#collectInside(element, prefix);
      const [shortest = ''] = parts[index] ?? [];
      prefix += shortest;
    }
    for (const start of starts)
      for (let end = start + 1; end <= parts.length; end += 1)
        if (starts.includes(end) || end === parts.length) this.#pumps.push(...sequences(parts.slice(start, end)).slice(0, 2));
  }

  #collectInside(element: AST.Element, prefix: string): void {
    if (element.type === 'Quantifier' && element.max > 9) {
      const { element: repeated } = element;
      const matched = this.#matched(repeated);
      this.#prefixes.push(prefix);
      this.#pumps.push(...matched, matched.join(''));
    }
    const inner = element.type === 'Quantifier' ? element.element : element;
    if ('alternatives' in inner) for (const alternative of inner.alternatives) this.#collect(alternative, prefix);
  }

  #matched(node: AST.Element): Choice {
    if (node.type === 'Character') return [String.fromCodePoint(node.value)];
    if (isOneCharacter(node)) {
      const test = oneCharacter(node, this.#flags);
      return this.#alphabet.filter((character) => test.test(character)).slice(0, SAMPLES);
    }
    if (node.type === 'Quantifier') {
      const once = this.#matched(node.element).map((text) => text.repeat(Math.min(Math.max(1, node.min), 64)));
      return node.min === 0 ? [...once, ''] : once;
    }
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return node.alternatives
        .flatMap(({ elements }) => sequences(elements.map((element) => this.#matched(element))).slice(0, 3))
        .slice(0, 3 * SAMPLES);
    return [''];
  }
}

/** Whether an element and the previous element are literal characters. Sequences of literal characters are not split. */
function isWithinWord(elements: readonly AST.Element[], index: number): boolean {
  return index > 0 && elements[index]?.type === 'Character' && elements[index - 1]?.type === 'Character';
}

/**
 * Returns the sequence of the first choices, that of the last choices, and variants of the first sequence, each with one other
 * choice.
 */
function sequences(parts: readonly Choice[]): Choice {
  const first = parts.map(([text = '']) => text);
  const others = parts.flatMap((choice, index) =>
    choice.slice(1).map((text) => [...first.slice(0, index), text, ...first.slice(index + 1)].join('')),
  );
  const last = parts.map((choice) => choice.at(-1) ?? '').join('');
  return [...new Set([first.join(''), last, ...others])];
}
