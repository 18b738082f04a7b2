import { shorten } from '../text/shorten.ts';
import { checkFreeForm, Issues, REFUSED, refuseHostileName, type Issue } from './issues.ts';
import { describeType, hasSomeType, isPlainObject, withArticle, type JsonType } from './json-schema.ts';
import { parseQuotedJson, parseText } from './parse-text.ts';
import { acceptsNull, type Plan, type PropertyPlan, type Union, type ValuePlan } from './plan.ts';
import { isViolated } from './property-rule.ts';
import { setProperty } from './quick-reader.ts';
import { describeUnknownName } from './unknown-name.ts';

export type { Issue } from './issues.ts';

/** How values are read: as JSON, or from the strings of prompts, URIs, command lines and environment variables. */
export interface ParseOptions {
  /** Parses numbers and booleans from strings. Default: false. */
  readonly strings?: boolean;
  /** Parses numbers, booleans, arrays and objects that are written as JSON inside a string, as some models write them. Default: false. */
  readonly quotedJson?: boolean;
}

/** Reads one value by a plan, and collects all its issues. */
export class ValueReader {
  readonly #issues = new Issues();
  readonly #strings: boolean;
  readonly #quotedJson: boolean;

  constructor({ strings = false, quotedJson = false }: ParseOptions) {
    this.#strings = strings;
    this.#quotedJson = quotedJson;
  }

  /** Issues found so far; empty if the value is valid. */
  get issues(): readonly Issue[] {
    return this.#issues.list;
  }

  /** Returns an instance of the plan's class, or `undefined` if the value has issues. */
  read(plan: Plan, value: unknown): object | undefined {
    const instance = this.#readObject(plan, value);
    return instance === REFUSED ? undefined : instance;
  }

  #readObject(plan: Plan, given: unknown): object | typeof REFUSED {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    if (this.#issues.isTooDeep()) return REFUSED;
    const before = this.#issues.count;
    this.#refuseUnknown(plan, given);
    const instance = new plan.target();
    const values: unknown[] = [];
    for (const property of plan.properties.values()) values.push(this.#readProperty(property, given, instance));
    const isValid = this.#issues.count === before;
    let position = 0;
    // Rules run after all properties are set, because a rule may read the other properties of the instance.
    for (const property of plan.properties.values()) {
      const value = values[position];
      position += 1;
      if (value !== REFUSED) this.#checkProperty(property, value, instance, isValid);
    }
    return this.#issues.count === before ? instance : REFUSED;
  }

  #refuseUnknown(plan: Plan, given: object): void {
    let isFirst = true;
    for (const key of Object.keys(given)) {
      if (plan.properties.has(key)) continue;
      this.#issues.addAt(key, this.#issues.isNextNamed ? describeUnknownName(key, plan, isFirst) : 'is not known');
      isFirst = false;
    }
  }

  /**
   * Sets a property of the instance and returns its value. Returns `undefined` if the property is absent, and `REFUSED` if it
   * has issues.
   */
  #readProperty(property: PropertyPlan, given: Readonly<Record<string, unknown>>, instance: object): unknown {
    const { name, required, conditions, value } = property;
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined || (raw === null && !acceptsNull(value.shape)))
      return required && conditions.length === 0 ? this.#issues.addAt(name, 'is required') : undefined;
    this.#issues.enter(name);
    const kept = this.#readValue(value, raw, instance);
    this.#issues.leave();
    if (kept !== REFUSED) setProperty(instance, property, kept);
    return kept;
  }

  #readValue(plan: ValuePlan, raw: unknown, holder: object): unknown {
    const { shape } = plan;
    const given = this.#quotedJson && typeof raw === 'string' ? parseQuotedJson(raw, shape) : raw;
    switch (shape.kind) {
      case 'json':
        return this.#readJson(shape.types, given);
      case 'object':
        return this.#readObject(shape.plan, given);
      case 'union':
        return this.#readUnion(shape, given);
      case 'map':
        return this.#readMap(shape.values, given, holder);
      case 'list':
        return this.#readList(plan, shape.items, given, holder);
    }
  }

  #readJson(types: readonly JsonType[] | undefined, given: unknown): unknown {
    const value = this.#strings && typeof given === 'string' ? parseText(given, types) : given;
    return types === undefined || hasSomeType(value, types) ? checkFreeForm(value, this.#issues) : this.#mismatch(types, value);
  }

  #readList({ limits }: ValuePlan, items: ValuePlan, given: unknown, holder: object): unknown {
    if (!Array.isArray(given)) return this.#mismatch(['array'], given);
    if (limits.some((rule) => isViolated(rule, given, holder, this.#issues))) return REFUSED;
    return given.map((item: unknown, position) => {
      this.#issues.enter(position);
      const kept = this.#readValue(items, item, holder);
      this.#issues.leave();
      return kept;
    });
  }

  #readMap(values: ValuePlan, given: unknown, holder: object): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const before = this.#issues.count;
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(given)) {
      if (refuseHostileName(key, this.#issues) || (item === null && !acceptsNull(values.shape))) continue;
      this.#issues.enter(key);
      kept.push([key, this.#readValue(values, item, holder)]);
      this.#issues.leave();
    }
    return this.#issues.count === before ? Object.fromEntries(kept) : REFUSED;
  }

  #readUnion({ discriminator, members }: Union, given: unknown): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const kind = Object.hasOwn(given, discriminator) ? given[discriminator] : undefined;
    const plan = members.get(kind);
    if (plan !== undefined) return this.#readObject(plan, given);
    const known = [...members.keys()].map((pin) => JSON.stringify(pin)).join(', ');
    const wrong = kind === undefined || kind === null ? 'is required' : `${quote(kind)} is not known`;
    return this.#issues.addAt(discriminator, `${wrong}; one of ${known}`);
  }

  #checkProperty({ name, required, conditions, value }: PropertyPlan, kept: unknown, instance: object, whole: boolean): void {
    if (conditions.length > 0) {
      // Conditions read other properties, so the conditions and the rules are skipped if any property of the object has an issue.
      const present: unknown = Reflect.get(instance, name);
      if (!whole || !conditions.every((condition) => condition(instance, present))) return;
      if (kept === undefined && required) this.#issues.addAt(name, 'is required');
    }
    if (kept === undefined) return;
    this.#issues.enter(name);
    this.#checkValue(value, kept, instance);
    this.#issues.leave();
  }

  #checkValue({ shape, rules }: ValuePlan, value: unknown, holder: object): void {
    if (shape.kind === 'list' && Array.isArray(value)) {
      for (const [position, item] of value.entries()) {
        if (item === REFUSED) continue;
        this.#issues.enter(position);
        this.#checkValue(shape.items, item, holder);
        this.#issues.leave();
      }
      if (value.includes(REFUSED)) return;
    }
    for (const rule of rules) {
      const broken = isViolated(rule, value, holder, this.#issues);
      // The remaining rules are skipped, because they would process the whole value although it is too long.
      if (broken && rule.maxLength !== undefined && getLength(value) > rule.maxLength) return;
    }
  }

  #mismatch(types: readonly JsonType[], value: unknown): typeof REFUSED {
    return this.#issues.add(`expected ${types.map(withArticle).join(' or ')}, got ${this.#describe(value)}`);
  }

  /** Describes numbers, and texts that should be parsed, by their value; describes other values by their type. */
  #describe(value: unknown): string {
    if (typeof value === 'number') return String(value);
    return this.#strings ? quote(value) : describeType(value);
  }
}

function getLength(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(shorten(value)) : describeType(value);
}
