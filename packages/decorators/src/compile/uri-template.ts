const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLE = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/;
const SEPARATOR = /[/?#]/;

interface Variable {
  readonly name: string;
  /** Whether it may go across `/`, `?` and `#`. */
  readonly reserved: boolean;
}

/** A URI template of literals, `{name}` (one path segment) and at most one `{+name}` (anything, or nothing); RFC 6570, read backwards. */
export class UriTemplate {
  /** As it was written. */
  readonly template: string;
  readonly #variables: readonly Variable[];
  /** What stands before, between and after the variables. */
  readonly #literals: readonly string[];

  private constructor(template: string, variables: readonly Variable[]) {
    this.template = template;
    this.#variables = variables;
    this.#literals = template.replaceAll(EXPRESSION, '{').split('{');
  }

  /** The template, or what is wrong with it. */
  static parse(template: string): UriTemplate | string {
    const variables: Variable[] = [];
    for (const [expression, inside = ''] of template.matchAll(EXPRESSION)) {
      const [, plus, name] = VARIABLE.exec(inside) ?? [];
      if (name === undefined) return `${expression} is not supported; write {name} or {+name}`;
      variables.push({ name, reserved: plus === '+' });
    }
    if (/[{}]/.test(template.replaceAll(EXPRESSION, ''))) return 'a brace is not closed or not opened';
    return ambiguity(template, variables) ?? new UriTemplate(template, variables);
  }

  /** The variables, from left to right. */
  get names(): readonly string[] {
    return this.#variables.map(({ name }) => name);
  }

  /** The variables of a URI, percent-decoded once; `undefined` if it does not match or is not decodable. */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const values = this.#split(uri);
    if (values === undefined || !values.every((value, position) => this.#admits(position, value))) return undefined;
    try {
      return Object.fromEntries(this.names.map((name, position) => [name, decodeURIComponent(values[position] ?? '')]));
    } catch {
      return undefined;
    }
  }

  /**
   * The texts between the literals, in linear time, which no regular expression promises: from the left up to the variable that
   * may be of any length, from the right down to it, and it has the rest.
   */
  #split(uri: string): readonly string[] | undefined {
    const { first, last } = this.#ends();
    if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
    const longest = Math.max(
      0,
      this.#variables.findIndex(({ reserved }) => reserved),
    );
    const left: string[] = [];
    const right: string[] = [];
    let start = first.length;
    let end = uri.length - last.length;
    for (const literal of this.#literals.slice(1, longest + 1)) {
      const found = uri.indexOf(literal, start + 1);
      if (found < 0) return undefined;
      left.push(uri.slice(start, found));
      start = found + literal.length;
    }
    for (const literal of this.#literals.slice(longest + 1, -1).toReversed()) {
      const found = uri.lastIndexOf(literal, end - literal.length - 1);
      if (found < start) return undefined;
      right.unshift(uri.slice(found + literal.length, end));
      end = found;
    }
    return [...left, uri.slice(start, end), ...right];
  }

  #ends(): { readonly first: string; readonly last: string } {
    return { first: this.#literals.at(0) ?? '', last: this.#literals.at(-1) ?? '' };
  }

  #admits(position: number, value: string): boolean {
    return this.#variables[position]?.reserved === true || (value !== '' && !SEPARATOR.test(value));
  }
}

/** Why it could not be told which part of a URI is which variable. */
function ambiguity(template: string, variables: readonly Variable[]): string | undefined {
  const names = variables.map(({ name }) => name);
  const repeated = names.find((name, position) => names.indexOf(name) < position);
  if (repeated !== undefined) return `{${repeated}} stands in it twice`;
  if (names.length === 0) return 'it has no variable; use uri instead of uriTemplate';
  if (template.includes('}{')) return 'two variables stand side by side';
  return variables.filter(({ reserved }) => reserved).length > 1 ? 'it has more than one {+name}' : undefined;
}
