const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLE = /^(\+?)([A-Za-z_][A-Za-z0-9_]*)$/;

/** A URI template of literals, `{name}` (one path segment) and `{+name}` (anything); RFC 6570, read backwards. */
export class UriTemplate {
  readonly template: string;
  readonly names: readonly string[];
  readonly #pattern: RegExp;

  private constructor(template: string, names: readonly string[], pattern: RegExp) {
    this.template = template;
    this.names = names;
    this.#pattern = pattern;
  }

  /** The template, or what is wrong with it. */
  static parse(template: string): UriTemplate | string {
    const names: string[] = [];
    let pattern = '';
    let end = 0;
    for (const expression of template.matchAll(EXPRESSION)) {
      const [, reserved, name] = VARIABLE.exec(expression[1] ?? '') ?? [];
      if (name === undefined) return `${expression[0]} is not supported; write {name} or {+name}`;
      if (names.includes(name)) return `{${name}} stands in it twice`;
      names.push(name);
      pattern += literal(template.slice(end, expression.index)) + (reserved === '+' ? '(.+)' : '([^/?#]+)');
      end = expression.index + expression[0].length;
    }
    if (/[{}]/.test(template.replaceAll(EXPRESSION, ''))) return 'a brace is not closed or not opened';
    if (names.length === 0) return 'it has no variable; use uri instead of uriTemplate';
    return new UriTemplate(template, names, new RegExp(`^${pattern}${literal(template.slice(end))}$`, 's'));
  }

  /** The variables of a URI, percent-decoded once; `undefined` if it does not match or is not decodable. */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const values = this.#pattern.exec(uri)?.slice(1);
    if (values === undefined) return undefined;
    try {
      return Object.fromEntries(this.names.map((name, position) => [name, decodeURIComponent(values[position] ?? '')]));
    } catch {
      return undefined;
    }
  }
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
