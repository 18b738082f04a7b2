const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLE = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/;
const QUERY = /^(?<path>.*)\{\?(?<names>[A-Za-z_][A-Za-z0-9_]*(?:,[A-Za-z_][A-Za-z0-9_]*)*)\}$/s;
const SEPARATOR = /[/?#]/;

interface Variable {
  readonly name: string;
  /** Whether a value of the variable may contain `/`, `?` and `#`. */
  readonly reserved: boolean;
}

/**
 * Matches URIs against a URI template (RFC 6570). A template consists of literals, of any number of `{name}` (one path
 * segment) and of at most one `{+name}` (any text, may be empty). Instead of `{+name}`, the template may end with
 * `{?name,other}`: optional parameters in any order.
 */
export class UriTemplate {
  /** Source text of the template. */
  readonly template: string;
  readonly #variables: readonly Variable[];
  /** Names of the query parameters. */
  readonly #query: readonly string[];
  /** Literal texts before, between and after the variables. */
  readonly #literals: readonly string[];

  private constructor(template: string, variables: readonly Variable[], query: readonly string[]) {
    this.template = template;
    this.#variables = variables;
    this.#query = query;
    this.#literals = removeQuery(template).replaceAll(EXPRESSION, '{').split('{');
  }

  /** Returns the template, or a problem. */
  static parse(template: string): UriTemplate | string {
    const path = removeQuery(template);
    const query = QUERY.exec(template)?.groups?.['names']?.split(',') ?? [];
    const variables = parseVariables(path);
    if (typeof variables === 'string') return variables;
    if (/[{}]/.test(path.replaceAll(EXPRESSION, ''))) return 'a brace is not closed or not opened';
    return findAmbiguity(path, variables, query) ?? new UriTemplate(template, variables, query);
  }

  /**
   * Number of literal characters, less 0.5 for a template with `{+name}`. If several templates match a URI, the template with the
   * highest precision is the most exact one.
   */
  get precision(): number {
    const characters = this.#literals.reduce((sum, literal) => sum + literal.length, 0);
    return this.#variables.some(({ reserved }) => reserved) ? characters - 0.5 : characters;
  }

  /** Names of all variables, from left to right. */
  get names(): readonly string[] {
    return [...this.#variables.map(({ name }) => name), ...this.#query];
  }

  /**
   * Returns the percent-decoded variables of a URI, without query parameters that the URI omits. Returns `undefined` if the URI
   * does not match or cannot be decoded.
   */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const end = this.#query.length === 0 || !uri.includes('?') ? uri.length : uri.indexOf('?');
    const values = this.#split(uri.slice(0, end));
    const asked = this.#parseQuery(uri.slice(end + 1));
    if (values === undefined || !values.every((value, position) => this.#admits(position, value))) return undefined;
    const found = asked && [...this.#variables.map(({ name }, position) => [name, values[position] ?? ''] as const), ...asked];
    try {
      return found && Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
    } catch {
      return undefined;
    }
  }

  /** Returns the parameters of a query, or `undefined` if the query contains an unknown or repeated parameter. */
  #parseQuery(query: string): readonly (readonly [string, string])[] | undefined {
    if (query === '') return [];
    const pairs = query.split('&').map((pair): readonly [string, string] => {
      const [, name = '', value = ''] = /^([^=]*)=([^#]*)$/s.exec(pair) ?? [];
      return [name, value];
    });
    const names = pairs.map(([name]) => name);
    return names.every((name) => this.#query.includes(name)) && new Set(names).size === names.length ? pairs : undefined;
  }

  /**
   * Splits a URI at the literals. Runs in linear time, which a regular expression does not guarantee: searches the literals before
   * the variable `{+name}` from the left, and the literals after this variable from the right.
   */
  #split(uri: string): readonly string[] | undefined {
    const { first, last } = this.#getEnds();
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

  #getEnds(): { readonly first: string; readonly last: string } {
    return { first: this.#literals.at(0) ?? '', last: this.#literals.at(-1) ?? '' };
  }

  #admits(position: number, value: string): boolean {
    return this.#variables[position]?.reserved === true || (value !== '' && !SEPARATOR.test(value));
  }
}

/** Returns the variables of a template without its query, or a problem. */
function parseVariables(path: string): readonly Variable[] | string {
  const variables: Variable[] = [];
  for (const [expression, inside = ''] of path.matchAll(EXPRESSION)) {
    const [, plus, name] = VARIABLE.exec(inside) ?? [];
    if (name === undefined) return `${expression} is not supported; write {name}, {+name} or at the end {?name,other}`;
    variables.push({ name, reserved: plus === '+' });
  }
  return variables;
}

/** Returns the template without its query. */
function removeQuery(template: string): string {
  return QUERY.exec(template)?.groups?.['path'] ?? template;
}

/** Returns the reason why a URI could match the template in more than one way, or `undefined`. */
function findAmbiguity(path: string, variables: readonly Variable[], query: readonly string[]): string | undefined {
  const names = [...variables.map(({ name }) => name), ...query];
  const repeated = names.find((name, position) => names.indexOf(name) < position);
  if (repeated !== undefined) return `it contains {${repeated}} twice`;
  if (variables.length === 0) return 'it has no variable outside its query; use uri instead of uriTemplate';
  if (path.includes('}{')) return 'two variables are adjacent';
  const reserved = variables.filter((variable) => variable.reserved);
  if (reserved.length > 0 && query.length > 0) return `{+${reserved[0]?.name ?? ''}} may contain "?", so no query can follow it`;
  return reserved.length > 1 ? 'it has more than one {+name}' : undefined;
}
