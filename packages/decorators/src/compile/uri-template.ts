const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLE = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/;
const QUERY = /^(?<path>.*)\{\?(?<names>[A-Za-z_][A-Za-z0-9_]*(?:,[A-Za-z_][A-Za-z0-9_]*)*)\}$/s;
const SEPARATOR = /[/?#]/;

interface Variable {
  readonly name: string;
  /** Whether it may go across `/`, `?` and `#`. */
  readonly reserved: boolean;
}

/**
 * A URI template of literals, `{name}` (one path segment) and at most one `{+name}` (anything, or nothing), or instead of that one
 * `{?name,other}` at its end (each of them or none, in any order); RFC 6570, read backwards.
 */
export class UriTemplate {
  /** As it was written. */
  readonly template: string;
  readonly #variables: readonly Variable[];
  /** Names of what may stand in the query. */
  readonly #query: readonly string[];
  /** What stands before, between and after the variables. */
  readonly #literals: readonly string[];

  private constructor(template: string, variables: readonly Variable[], query: readonly string[]) {
    this.template = template;
    this.#variables = variables;
    this.#query = query;
    this.#literals = pathOf(template).replaceAll(EXPRESSION, '{').split('{');
  }

  /** The template, or what is wrong with it. */
  static parse(template: string): UriTemplate | string {
    const path = pathOf(template);
    const query = QUERY.exec(template)?.groups?.['names']?.split(',') ?? [];
    const variables = variablesOf(path);
    if (typeof variables === 'string') return variables;
    if (/[{}]/.test(path.replaceAll(EXPRESSION, ''))) return 'a brace is not closed or not opened';
    return ambiguity(path, variables, query) ?? new UriTemplate(template, variables, query);
  }

  /** The variables, from left to right. */
  get names(): readonly string[] {
    return [...this.#variables.map(({ name }) => name), ...this.#query];
  }

  /**
   * The variables of a URI, percent-decoded once, without those that its query leaves out; `undefined` if it does not match or is not
   * decodable.
   */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const end = this.#query.length === 0 || !uri.includes('?') ? uri.length : uri.indexOf('?');
    const values = this.#split(uri.slice(0, end));
    const asked = this.#queried(uri.slice(end + 1));
    if (values === undefined || !values.every((value, position) => this.#admits(position, value))) return undefined;
    const found = asked && [...this.#variables.map(({ name }, position) => [name, values[position] ?? ''] as const), ...asked];
    try {
      return found && Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
    } catch {
      return undefined;
    }
  }

  /** What a query says, or `undefined` if it says something else, or something twice. */
  #queried(query: string): readonly (readonly [string, string])[] | undefined {
    if (query === '') return [];
    const pairs = query.split('&').map((pair): readonly [string, string] => {
      const [, name = '', value = ''] = /^([^=]*)=([^#]*)$/s.exec(pair) ?? [];
      return [name, value];
    });
    const names = pairs.map(([name]) => name);
    return names.every((name) => this.#query.includes(name)) && new Set(names).size === names.length ? pairs : undefined;
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

/** The variables in a template without its query, or what is wrong with one. */
function variablesOf(path: string): readonly Variable[] | string {
  const variables: Variable[] = [];
  for (const [expression, inside = ''] of path.matchAll(EXPRESSION)) {
    const [, plus, name] = VARIABLE.exec(inside) ?? [];
    if (name === undefined) return `${expression} is not supported; write {name}, {+name} or at the end {?name,other}`;
    variables.push({ name, reserved: plus === '+' });
  }
  return variables;
}

/** The template without its query. */
function pathOf(template: string): string {
  return QUERY.exec(template)?.groups?.['path'] ?? template;
}

/** Why it could not be told which part of a URI is which variable. */
function ambiguity(path: string, variables: readonly Variable[], query: readonly string[]): string | undefined {
  const names = [...variables.map(({ name }) => name), ...query];
  const repeated = names.find((name, position) => names.indexOf(name) < position);
  if (repeated !== undefined) return `{${repeated}} stands in it twice`;
  if (variables.length === 0) return 'it has no variable outside its query; use uri instead of uriTemplate';
  if (path.includes('}{')) return 'two variables stand side by side';
  const reserved = variables.filter((variable) => variable.reserved);
  if (reserved.length > 0 && query.length > 0) return `{+${reserved[0]?.name ?? ''}} may hold a "?"; no query can follow it`;
  return reserved.length > 1 ? 'it has more than one {+name}' : undefined;
}
