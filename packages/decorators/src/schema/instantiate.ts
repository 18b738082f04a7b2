import { nearest } from '../nearest.ts';
import { shorten } from '../shorten.ts';
import { describeType, hasType, isPlainObject, withArticle, type JsonType } from './json-schema.ts';
import type { Plan, PropertyPlan, Shape, Union, ValuePlan } from './plan.ts';
import { violation, type PropertyRule } from './rule.ts';

/** Something wrong with a value, and where: property names and positions from the root. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** How values are read: as JSON, or as the strings that prompts, URIs, argv and environment carry. */
export interface ReadingOptions {
  /** Parse numbers and booleans out of strings; nothing else is parsed. Default: false. */
  readonly strings?: boolean;
}

/** More mistakes than this are counted, not named: one call can hold as many as its 10 MiB. */
const NAMED_ISSUES = 50;

/** Objects and arrays nest no deeper than this, so that nobody who walks through them runs out of stack. */
const DEEPEST = 64;

/** Stands for a value that has an issue. */
const REFUSED: unique symbol = Symbol('refused');

/** Reads one value by a plan; collects every issue, at once. */
export class Reading {
  readonly #named: Issue[] = [];
  readonly #strings: boolean;
  /** Where the reading is, kept up to date instead of handed on: paths are made of issues only. */
  readonly #path: (string | number)[] = [];
  #count = 0;

  constructor({ strings = false }: ReadingOptions) {
    this.#strings = strings;
  }

  /** What is wrong, empty if nothing is; more than {@link NAMED_ISSUES} are counted in a last one. */
  get issues(): readonly Issue[] {
    const unnamed = this.#count - this.#named.length;
    return unnamed === 0 ? this.#named : [...this.#named, { path: [], message: `… and ${unnamed} more` }];
  }

  /** An instance of the plan's class; `undefined` if there are issues. */
  instance(plan: Plan, value: unknown): object | undefined {
    const instance = this.#object(plan, value);
    return instance === REFUSED ? undefined : instance;
  }

  #object(plan: Plan, given: unknown): object | typeof REFUSED {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    if (this.#isTooDeep()) return REFUSED;
    const before = this.#count;
    this.#refuseUnknown(plan, given);
    const instance = new plan.target();
    const values: unknown[] = [];
    for (const property of plan.properties.values()) values.push(this.#property(property, given, instance));
    const whole = this.#count === before;
    let position = 0;
    // Only now, because a rule may look at the other properties of the instance.
    for (const property of plan.properties.values()) {
      const value = values[position];
      position += 1;
      if (value !== REFUSED) this.#checkProperty(property, value, instance, whole);
    }
    return this.#count === before ? instance : REFUSED;
  }

  #refuseUnknown(plan: Plan, given: object): void {
    for (const key of Object.keys(given)) {
      if (plan.properties.has(key)) continue;
      const near = this.#count < NAMED_ISSUES ? nearest(key, plan.properties.keys()) : undefined;
      this.#refuseAt(key, near === undefined ? 'is not known' : `is not known; did you mean "${near}"?`);
    }
  }

  /** The value of a property, set on the instance; `undefined` if it is absent. */
  #property(
    { name, required, conditions, value }: PropertyPlan,
    given: Readonly<Record<string, unknown>>,
    instance: object,
  ): unknown {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined || (raw === null && !takesNull(value.shape)))
      return required && conditions.length === 0 ? this.#refuseAt(name, 'is required') : undefined;
    this.#path.push(name);
    const kept = this.#value(value, raw, instance);
    this.#path.pop();
    if (kept !== REFUSED)
      Object.defineProperty(instance, name, { value: kept, enumerable: true, writable: true, configurable: true });
    return kept;
  }

  #value(plan: ValuePlan, given: unknown, holder: object): unknown {
    const { shape } = plan;
    switch (shape.kind) {
      case 'json':
        return this.#json(shape.types, given);
      case 'object':
        return this.#object(shape.plan, given);
      case 'union':
        return this.#member(shape, given);
      case 'map':
        return this.#map(shape.values, given, holder);
      case 'list':
        return this.#list(plan, shape.items, given, holder);
    }
  }

  #json(types: readonly JsonType[] | undefined, given: unknown): unknown {
    const value = this.#strings && typeof given === 'string' ? parse(given, types) : given;
    if (types !== undefined && !hasOneOf(value, types)) return this.#mismatch(types, value);
    return typeof value === 'object' && value !== null && this.#isHostile(value) ? REFUSED : value;
  }

  #list(plan: ValuePlan, items: ValuePlan, given: unknown, holder: object): unknown {
    if (!Array.isArray(given)) return this.#mismatch(['array'], given);
    if (plan.limits.some((rule) => this.#breaks(rule, given, holder))) return REFUSED;
    return given.map((item: unknown, position) => {
      this.#path.push(position);
      const kept = this.#value(items, item, holder);
      this.#path.pop();
      return kept;
    });
  }

  #map(values: ValuePlan, given: unknown, holder: object): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const before = this.#count;
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(given)) {
      if (key === '__proto__') this.#refuseAt(key, 'is not allowed as a name');
      else if (item !== null || takesNull(values.shape)) {
        this.#path.push(key);
        kept.push([key, this.#value(values, item, holder)]);
        this.#path.pop();
      }
    }
    return this.#count === before ? Object.fromEntries(kept) : REFUSED;
  }

  #member({ discriminator, members }: Union, given: unknown): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const kind = Object.hasOwn(given, discriminator) ? given[discriminator] : undefined;
    const plan = members.get(kind);
    if (plan !== undefined) return this.#object(plan, given);
    const known = [...members.keys()].map((pin) => JSON.stringify(pin)).join(', ');
    const wrong = kind === undefined || kind === null ? 'is required' : `${quoted(kind)} is not known`;
    return this.#refuseAt(discriminator, `${wrong}; one of ${known}`);
  }

  /** Looks through a value that is free of form, for a name that would become a prototype in careless hands. */
  #isHostile(value: object): boolean {
    if (this.#isTooDeep()) return true;
    const before = this.#count;
    for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (key === '__proto__') this.#refuseAt(key, 'is not allowed as a name');
      else if (typeof part === 'object' && part !== null) {
        this.#path.push(key);
        this.#isHostile(part);
        this.#path.pop();
      }
    }
    return this.#count > before;
  }

  #isTooDeep(): boolean {
    if (this.#path.length < DEEPEST) return false;
    this.#refuse(`is nested more than ${DEEPEST} levels deep`);
    return true;
  }

  #checkProperty({ name, required, conditions, value }: PropertyPlan, kept: unknown, instance: object, whole: boolean): void {
    if (conditions.length > 0) {
      // A condition looks at other properties; one that is missing says nothing.
      const present: unknown = Reflect.get(instance, name);
      if (!whole || !conditions.every((condition) => condition(instance, present))) return;
      if (kept === undefined && required) this.#refuseAt(name, 'is required');
    }
    if (kept === undefined) return;
    this.#path.push(name);
    this.#check(value, kept, instance);
    this.#path.pop();
  }

  #check({ shape, rules }: ValuePlan, value: unknown, holder: object): void {
    if (shape.kind === 'list' && Array.isArray(value)) {
      for (const [position, item] of value.entries()) {
        if (item === REFUSED) continue;
        this.#path.push(position);
        this.#check(shape.items, item, holder);
        this.#path.pop();
      }
      if (value.includes(REFUSED)) return;
    }
    for (const rule of rules) {
      const broken = this.#breaks(rule, value, holder);
      // The other rules would look at all of a text that was meant to be short.
      if (broken && rule.most !== undefined && lengthOf(value) > rule.most) return;
    }
  }

  #breaks(rule: PropertyRule, value: unknown, holder: object): boolean {
    try {
      if (rule.condition?.(holder, value) === false) return false;
      const message = violation(rule, value, holder);
      if (message === undefined) return false;
      this.#refuse(message);
      return true;
    } catch (error) {
      // It may have missed a property that was refused.
      if (this.#count === 0) throw error;
      return false;
    }
  }

  #mismatch(types: readonly JsonType[], value: unknown): typeof REFUSED {
    return this.#refuse(`expected ${types.map(withArticle).join(' or ')}, got ${this.#shown(value)}`);
  }

  /** A number, and a text that was to be parsed, are shown themselves; of anything else its type says more. */
  #shown(value: unknown): string {
    if (typeof value === 'number') return String(value);
    return this.#strings && typeof value === 'string' ? quoted(value) : describeType(value);
  }

  #refuseAt(key: string | number, message: string): typeof REFUSED {
    this.#path.push(key);
    this.#refuse(message);
    this.#path.pop();
    return REFUSED;
  }

  #refuse(message: string): typeof REFUSED {
    if (this.#count < NAMED_ISSUES) this.#named.push({ path: this.#path.map(shortened), message });
    this.#count += 1;
    return REFUSED;
  }
}

function takesNull(shape: Shape): boolean {
  return shape.kind === 'json' && (shape.types === undefined || shape.types.includes('null'));
}

function hasOneOf(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(shorten(value)) : describeType(value);
}

function shortened<Part extends string | number>(part: Part): Part | string {
  return typeof part === 'string' ? shorten(part) : part;
}

function parse(text: string, types: readonly JsonType[] = []): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}
