import { nearest } from '../nearest.ts';
import { shorten } from '../shorten.ts';
import { describeType, hasType, isPlainObject, type JsonType } from './json-schema.ts';
import type { Plan, PropertyPlan } from './plan.ts';
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

interface Place {
  readonly path: Issue['path'];
  /** The object that holds the value. */
  readonly instance: object;
}

/** More mistakes than this are counted, not named: one call can hold as many as its 10 MiB. */
const NAMED_ISSUES = 50;

/** Reads one value by a plan; collects every issue, at once. */
export class Reading {
  readonly #issues: Issue[] = [];
  readonly #strings: boolean;
  #unnamed = 0;

  constructor({ strings = false }: ReadingOptions) {
    this.#strings = strings;
  }

  /** What is wrong, empty if nothing is; more than {@link NAMED_ISSUES} are counted in a last one. */
  get issues(): readonly Issue[] {
    return this.#unnamed === 0 ? this.#issues : [...this.#issues, { path: [], message: `… and ${this.#unnamed} more` }];
  }

  /** An instance of the plan's class; complete only if there are no issues. */
  object(plan: Plan, value: unknown, path: Issue['path']): object | undefined {
    if (!isPlainObject(value)) {
      this.#refuse(path, `expected an object, got ${describeType(value)}`);
      return undefined;
    }
    this.#refuseUnknown(plan, value, path);
    const instance = new plan.target();
    const read = new Map<PropertyPlan, unknown>();
    for (const property of plan.properties.values()) {
      const given = Object.hasOwn(value, property.name) ? value[property.name] : undefined;
      const kept = this.#read(property, given, [...path, property.name]);
      if (kept === undefined) continue;
      Object.defineProperty(instance, property.name, { value: kept, enumerable: true, writable: true, configurable: true });
      read.set(property, kept);
    }
    // Only now, because a rule may look at the other properties of the instance.
    for (const [property, kept] of read) this.#check(property, kept, { path: [...path, property.name], instance });
    return instance;
  }

  #refuseUnknown(plan: Plan, value: object, path: Issue['path']): void {
    for (const key of Object.keys(value)) {
      if (plan.properties.has(key)) continue;
      const near = nearest(key, plan.properties.keys());
      this.#refuse([...path, key], near === undefined ? 'is not known' : `is not known; did you mean "${near}"?`);
    }
  }

  /** The value of a property, read by its types; `undefined` if it is absent or refused. */
  #read(property: PropertyPlan, given: unknown, path: Issue['path']): unknown {
    if (given === undefined || given === null) {
      if (property.required) this.#refuse(path, 'is required');
      return undefined;
    }
    const value = this.#typed(property.type, given, path);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.#nested(property, value, path);
    if (this.#isTooLong(property, value, path)) return undefined;
    return value.map((item: unknown, position) => {
      const place = [...path, position];
      const read = this.#typed(property.itemType, item, place);
      return read === undefined ? undefined : this.#nested(property, read, place);
    });
  }

  /** Asked before the elements are read: what is too long is not worth a look at each of them. */
  #isTooLong({ rules }: PropertyPlan, value: readonly unknown[], path: Issue['path']): boolean {
    const limit = rules.find(({ name }) => name === 'arrayMaxSize');
    const message = limit && violation(limit, value, path.join('.'), {});
    if (message !== undefined) this.#refuse(path, message);
    return message !== undefined;
  }

  #nested(property: PropertyPlan, value: unknown, path: Issue['path']): unknown {
    return property.nested === undefined ? value : this.object(property.nested, value, path);
  }

  /** The value if it has the type, parsed from a string where that is asked for; `undefined` after an issue. */
  #typed(type: JsonType | undefined, given: unknown, path: Issue['path']): unknown {
    const value = this.#strings && typeof given === 'string' ? parse(given, type) : given;
    if (type === undefined || hasType(value, type)) return value;
    const article = /^[aeiou]/.test(type) ? 'an' : 'a';
    this.#refuse(path, `expected ${article} ${type}, got ${this.#shown(value)}`);
    return undefined;
  }

  /** A number, and a text that was to be parsed, are shown themselves; of anything else its type says more. */
  #shown(value: unknown): string {
    if (typeof value === 'number') return String(value);
    return this.#strings && typeof value === 'string' ? JSON.stringify(shortened(value)) : describeType(value);
  }

  #check({ rules, itemRules }: PropertyPlan, value: unknown, at: Place): void {
    if (!Array.isArray(value)) return this.#apply(rules, value, at);
    for (const [position, item] of value.entries()) {
      if (item !== undefined) this.#apply(itemRules, item, { ...at, path: [...at.path, position] });
    }
    if (!value.includes(undefined)) this.#apply(rules, value, at);
  }

  #apply(rules: readonly PropertyRule[], value: unknown, { path, instance }: Place): void {
    for (const rule of rules) {
      const message = violation(rule, value, path.join('.'), instance);
      if (message !== undefined) this.#refuse(path, message);
    }
  }

  #refuse(path: Issue['path'], message: string): void {
    if (this.#issues.length < NAMED_ISSUES) this.#issues.push({ path: path.map(shortened), message });
    else this.#unnamed += 1;
  }
}

function shortened<Part extends string | number>(part: Part): Part | string {
  return typeof part === 'string' ? shorten(part) : part;
}

function parse(text: string, type: JsonType | undefined): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  return text;
}
