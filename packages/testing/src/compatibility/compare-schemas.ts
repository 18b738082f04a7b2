import { misfits, type Schema } from './keywords.ts';

/** Whether clients send what the schema describes, or receive it. */
type Direction = 'input' | 'output';

/** A schema as it was and as it is. */
interface Pair {
  readonly before: Schema;
  readonly after: Schema;
}

/**
 * In which ways a schema breaks clients that know it as it was: an input may accept more and an output give less, but not the
 * other way round.
 */
export function compareSchemas(before: Schema, after: Schema, direction: Direction): readonly string[] {
  const comparison = new Comparison({ before, after }, direction);
  return [...new Set(comparison.compare(before, after, ''))];
}

class Comparison {
  readonly #roots: Pair;
  readonly #direction: Direction;
  /** What is being compared above: a schema that contains itself is compared once. */
  readonly #open: Pair[] = [];

  constructor(roots: Pair, direction: Direction) {
    this.#roots = roots;
    this.#direction = direction;
  }

  compare(old: unknown, now: unknown, path: string): readonly string[] {
    const before = resolve(old, this.#roots.before);
    const after = resolve(now, this.#roots.after);
    const [, to] = this.#ordered(before, after);
    if (Object.keys(to).length === 0) return [];
    if (this.#open.some((pair) => pair.before === before && pair.after === after)) return [];
    this.#open.push({ before, after });
    const changes = this.#compareAlternatives({ before, after }, path);
    this.#open.pop();
    return changes;
  }

  /** Every alternative that there may be needs one that it fits; where there is none, the nearest tells why. */
  #compareAlternatives({ before, after }: Pair, path: string): readonly string[] {
    const olds = alternatives(before, this.#roots.before);
    const nows = alternatives(after, this.#roots.after);
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
      ...this.#compareRest(pair, path),
      ...this.compare(pair.before['items'], pair.after['items'], `${path}[]`),
    ];
  }

  #compareKeywords({ before, after }: Pair, path: string): readonly string[] {
    const [from, to] = this.#ordered(before, after);
    return misfits(from, to).map(
      (keyword) => `${this.#place(path)}: ${keyword} was ${shown(before[keyword])}, is ${shown(after[keyword])}`,
    );
  }

  #compareProperties({ before, after }: Pair, path: string): readonly string[] {
    const old = propertiesOf(before);
    const now = propertiesOf(after);
    const inside = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const kept = [...old].flatMap(([name, schema]) =>
      now.has(name) ? this.compare(schema, now.get(name), inside(name)) : [`${this.#place(inside(name))} was removed`],
    );
    const added = [...now.keys()].filter((name) => !old.has(name) && this.#isClosed(before));
    return [
      ...kept,
      ...added.map((name) => `${this.#place(inside(name))} is new, where clients were told of no others`),
      ...this.#compareRequired({ before, after }).map((name) => `${this.#place(inside(name))} is ${this.#necessity()}`),
    ];
  }

  /** Properties that are required on the side that may not demand more; one that was removed is not named twice. */
  #compareRequired({ before, after }: Pair): readonly string[] {
    const [from, to] = this.#ordered(before, after);
    return namesOf(to['required'])
      .filter((name) => !namesOf(from['required']).includes(name))
      .filter((name) => this.#direction === 'input' || propertiesOf(after).has(name));
  }

  /** What may stand in an object besides its properties. */
  #compareRest({ before, after }: Pair, path: string): readonly string[] {
    const [old, now] = [before['additionalProperties'], after['additionalProperties']];
    const [from, to] = this.#ordered(old ?? true, now ?? true);
    if (from === false) return [];
    if (to !== false) return this.compare(old, now, path === '' ? '*' : `${path}.*`);
    return [
      `${this.#place(path)}: other properties ${this.#direction === 'input' ? 'are not accepted any more' : 'may come now'}`,
    ];
  }

  #isClosed({ additionalProperties }: Schema): boolean {
    return this.#direction === 'output' && additionalProperties === false;
  }

  #ordered<Side>(before: Side, after: Side): readonly [from: Side, to: Side] {
    return this.#direction === 'input' ? [before, after] : [after, before];
  }

  #necessity(): string {
    return this.#direction === 'input' ? 'newly required' : 'not always there any more';
  }

  #place(path: string): string {
    if (path === '') return this.#direction === 'input' ? 'the arguments' : 'the result';
    return `${this.#direction === 'input' ? 'argument' : 'result'} ${path}`;
  }
}

/** A schema without references; nothing and `true` are the schema that everything fits. */
function resolve(schema: unknown, root: Schema): Schema {
  if (schema === false) return { not: {} };
  if (!isSchema(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolve(pointedAt($ref, root), root) : schema;
}

function pointedAt(reference: string, root: Schema): unknown {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>(
    (at, name) => (isSchema(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}

/** The schemas of which a value fits one; `const` is read as an `enum` of one value. */
function alternatives(schema: Schema, root: Schema): readonly Schema[] {
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(schema[name]));
  if (keyword !== undefined) {
    const { [keyword]: several, ...rest } = schema;
    return listOf(several).flatMap((each) => alternatives({ ...rest, ...resolve(each, root) }, root));
  }
  const { const: value, ...rest } = schema;
  return [value === undefined ? schema : { ...rest, enum: [value] }];
}

function propertiesOf({ properties }: Schema): ReadonlyMap<string, unknown> {
  return new Map(isSchema(properties) ? Object.entries(properties) : []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
