import { isDeepStrictEqual } from 'node:util';

/** `input` if clients send the values that the schema describes, `output` if clients receive these values. */
type Direction = 'input' | 'output';

/** Both versions of a schema. */
interface Pair {
  readonly before: Schema;
  readonly after: Schema;
}

/**
 * Returns the ways in which a schema breaks clients that know its former version. An input may accept more and an output may
 * return less, but not the other way round.
 */
export function compareSchemas(before: Schema, after: Schema, direction: Direction): readonly string[] {
  const comparison = new Comparison({ before, after }, direction);
  return [...new Set(comparison.compare(before, after, ''))];
}

class Comparison {
  readonly #roots: Pair;
  readonly #direction: Direction;
  /** Pairs that enclose the current pair; a recursive schema is compared only once. */
  readonly #open: Pair[] = [];

  constructor(roots: Pair, direction: Direction) {
    this.#roots = roots;
    this.#direction = direction;
  }

  compare(old: unknown, now: unknown, path: string): readonly string[] {
    const before = resolveReference(old, this.#roots.before);
    const after = resolveReference(now, this.#roots.after);
    const [, to] = this.#orderByDirection(before, after);
    if (Object.keys(to).length === 0) return [];
    if (this.#open.some((pair) => pair.before === before && pair.after === after)) return [];
    this.#open.push({ before, after });
    const changes = this.#compareAlternatives({ before, after }, path);
    this.#open.pop();
    return changes;
  }

  /**
   * Compares the alternatives of two schemas. Each alternative of the sender must fit at least one alternative of the receiver. If an
   * alternative fits none, reports its changes against the most similar one.
   */
  #compareAlternatives({ before, after }: Pair, path: string): readonly string[] {
    const olds = listAlternatives(before, this.#roots.before);
    const nows = listAlternatives(after, this.#roots.after);
    const tried =
      this.#direction === 'input'
        ? olds.map((each) => nows.map((other) => this.#compareOne({ before: each, after: other }, path)))
        : nows.map((each) => olds.map((other) => this.#compareOne({ before: other, after: each }, path)));
    return tried.flatMap((attempts) => attempts.reduce((least, changes) => (changes.length < least.length ? changes : least)));
  }

  #compareOne(pair: Pair, path: string): readonly string[] {
    return [
      ...this.#compareKeywords(pair, path),
      ...this.#compareProperties(pair, path),
      ...this.#compareAdditional(pair, path),
      ...this.compare(pair.before['items'], pair.after['items'], `${path}[]`),
    ];
  }

  #compareKeywords({ before, after }: Pair, path: string): readonly string[] {
    const [from, to] = this.#orderByDirection(before, after);
    return findMisfits(from, to).map(
      (keyword) => `${this.#describePath(path)}: ${keyword} was ${format(before[keyword])}, is ${format(after[keyword])}`,
    );
  }

  #compareProperties({ before, after }: Pair, path: string): readonly string[] {
    const old = readProperties(before);
    const now = readProperties(after);
    const inside = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const kept = [...old].flatMap(([name, schema]) =>
      now.has(name) ? this.compare(schema, now.get(name), inside(name)) : [`${this.#describePath(inside(name))} was removed`],
    );
    const added = [...now.keys()].filter((name) => !old.has(name) && this.#isClosed(before));
    return [
      ...kept,
      ...added.map((name) => `${this.#describePath(inside(name))} is new, but the schema allowed no further properties`),
      ...this.#compareRequired({ before, after }).map(
        (name) => `${this.#describePath(inside(name))} is ${this.#describeRequired()}`,
      ),
    ];
  }

  /** Returns properties that are newly required, or no longer guaranteed. A removed property is not reported twice. */
  #compareRequired({ before, after }: Pair): readonly string[] {
    const [from, to] = this.#orderByDirection(before, after);
    return readNames(to['required'])
      .filter((name) => !readNames(from['required']).includes(name))
      .filter((name) => this.#direction === 'input' || readProperties(after).has(name));
  }

  /** Compares the properties that an object may have besides the declared ones. */
  #compareAdditional({ before, after }: Pair, path: string): readonly string[] {
    const [old, now] = [before['additionalProperties'], after['additionalProperties']];
    const [from, to] = this.#orderByDirection(old ?? true, now ?? true);
    if (from === false) return [];
    if (to !== false) return this.compare(old, now, path === '' ? '*' : `${path}.*`);
    return [
      `${this.#describePath(path)}: other properties ${this.#direction === 'input' ? 'are no longer accepted' : 'may be present now'}`,
    ];
  }

  #isClosed({ additionalProperties }: Schema): boolean {
    return this.#direction === 'output' && additionalProperties === false;
  }

  #orderByDirection<Side>(before: Side, after: Side): readonly [from: Side, to: Side] {
    return this.#direction === 'input' ? [before, after] : [after, before];
  }

  #describeRequired(): string {
    return this.#direction === 'input' ? 'newly required' : 'no longer guaranteed';
  }

  #describePath(path: string): string {
    if (path === '') return this.#direction === 'input' ? 'the arguments' : 'the result';
    return `${this.#direction === 'input' ? 'argument' : 'result'} ${path}`;
  }
}

/**
 * Resolves the `$ref` of a schema, but no `$ref` of a nested schema. Converts `false` to `{ not: {} }`. Converts a missing schema
 * and `true` to `{}`, which accepts every value.
 */
function resolveReference(schema: unknown, root: Schema): Schema {
  if (schema === false) return { not: {} };
  if (!isSchema(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolveReference(resolvePointer($ref, root), root) : schema;
}

function resolvePointer(reference: string, root: Schema): unknown {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>(
    (at, name) => (isSchema(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}

/** Returns the alternatives of a schema. `const` is treated as an `enum` of one value. */
function listAlternatives(schema: Schema, root: Schema): readonly Schema[] {
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(schema[name]));
  if (keyword !== undefined) {
    const { [keyword]: several, ...rest } = schema;
    return toList(several).flatMap((each) => listAlternatives({ ...rest, ...resolveReference(each, root) }, root));
  }
  const { const: value, ...rest } = schema;
  return [value === undefined ? schema : { ...rest, enum: [value] }];
}

function readProperties({ properties }: Schema): ReadonlyMap<string, unknown> {
  return new Map(isSchema(properties) ? Object.entries(properties) : []);
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readNames(value: unknown): readonly string[] {
  return toList(value).map(String);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function format(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

/** A JSON Schema as plain JSON, because raw schemas may have any keyword. */
type Schema = Readonly<Record<string, unknown>>;

/** Returns whether every value that fits the schema `from` also fits one keyword of the schema `to`. */
type Fits = (from: Schema, to: Schema) => boolean;

const ANNOTATION = /^(\$.+|x-.+|title|description|default|examples|deprecated|readOnly|writeOnly|enumNames|definitions)$/;
const STRUCTURE = /^(properties|required|additionalProperties|items|oneOf|anyOf)$/;

const KEYWORDS: Readonly<Record<string, Fits>> = {
  type: (from, to) => listTypes(from)?.every((type) => allows(listTypes(to) ?? [], type)) === true,
  enum: (from, to) => isSubset(from['enum'], to['enum']),
  minimum: ({ minimum, exclusiveMinimum }, to) => isAtLeast(minimum, to['minimum']) || isAtLeast(exclusiveMinimum, to['minimum']),
  exclusiveMinimum: ({ minimum, exclusiveMinimum }, to) =>
    isAtLeast(exclusiveMinimum, to['exclusiveMinimum']) || isAbove(minimum, to['exclusiveMinimum']),
  maximum: ({ maximum, exclusiveMaximum }, to) => isAtLeast(to['maximum'], maximum) || isAtLeast(to['maximum'], exclusiveMaximum),
  exclusiveMaximum: ({ maximum, exclusiveMaximum }, to) =>
    isAtLeast(to['exclusiveMaximum'], exclusiveMaximum) || isAbove(to['exclusiveMaximum'], maximum),
  multipleOf: (from, to) => Number.isInteger(Number(from['multipleOf']) / Number(to['multipleOf'])),
  minLength: requireAtLeast('minLength'),
  maxLength: requireAtMost('maxLength'),
  minItems: requireAtLeast('minItems'),
  maxItems: requireAtMost('maxItems'),
  minProperties: requireAtLeast('minProperties'),
  maxProperties: requireAtMost('maxProperties'),
  uniqueItems: (from, to) => to['uniqueItems'] !== true || from['uniqueItems'] === true,
};

/** Returns the keywords of `to` that a value of `from` may violate, except structural keywords. */
function findMisfits(from: Schema, to: Schema): readonly string[] {
  return Object.keys(to).filter((keyword) => {
    if (ANNOTATION.test(keyword) || STRUCTURE.test(keyword)) return false;
    const fits = KEYWORDS[keyword];
    return fits === undefined ? !isDeepStrictEqual(from[keyword], to[keyword]) : !fits(from, to);
  });
}

function listTypes({ type, enum: values }: Schema): readonly unknown[] | undefined {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  return Array.isArray(values) ? values.map(getJsonType) : undefined;
}

function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function allows(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function isSubset(from: unknown, to: unknown): boolean {
  if (!Array.isArray(from) || !Array.isArray(to)) return false;
  return from.every((value) => to.some((other) => isDeepStrictEqual(value, other)));
}

function requireAtLeast(keyword: string): Fits {
  return (from, to) => isAtLeast(from[keyword] ?? 0, to[keyword]);
}

function requireAtMost(keyword: string): Fits {
  return (from, to) => isAtLeast(to[keyword], from[keyword]);
}

function isAtLeast(value: unknown, limit: unknown): boolean {
  return typeof value === 'number' && typeof limit === 'number' && value >= limit;
}

function isAbove(value: unknown, limit: unknown): boolean {
  return isAtLeast(value, limit) && value !== limit;
}
