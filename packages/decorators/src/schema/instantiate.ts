import { closestMatch } from 'leven';

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

/** Reads one value by a plan; collects every issue, at once. */
export class Reading {
  readonly issues: Issue[] = [];
  readonly #strings: boolean;

  constructor({ strings = false }: ReadingOptions) {
    this.#strings = strings;
  }

  /** An instance of the plan's class; complete only if there are no issues. */
  object(plan: Plan, value: unknown, path: Issue['path']): object | undefined {
    if (!isPlainObject(value)) {
      this.#refuse(path, `expected an object, got ${describeType(value)}`);
      return undefined;
    }
    this.#refuseUnknown(plan, value, path);
    const instance = new plan.target();
    for (const property of plan.properties.values()) {
      const given = Object.hasOwn(value, property.name) ? value[property.name] : undefined;
      this.#property(property, given, instance, [...path, property.name]);
    }
    return instance;
  }

  #refuseUnknown(plan: Plan, value: object, path: Issue['path']): void {
    for (const key of Object.keys(value)) {
      if (plan.properties.has(key)) continue;
      const near = closestMatch(key, [...plan.properties.keys()], { maxDistance: Math.ceil(key.length / 2) });
      this.#refuse([...path, key], near === undefined ? 'is not known' : `is not known; did you mean "${near}"?`);
    }
  }

  #property(property: PropertyPlan, given: unknown, instance: object, path: Issue['path']): void {
    if (given === undefined || given === null) {
      if (property.required) this.#refuse(path, 'is required');
      return;
    }
    const read = this.#typed(property.type, given, path);
    if (read === undefined) return;
    const value = Array.isArray(read) ? this.#items(property, read, instance, path) : this.#nested(property, read, path);
    this.#check(property.rules, value, { path, instance });
    Object.defineProperty(instance, property.name, { value, enumerable: true, writable: true, configurable: true });
  }

  #items(property: PropertyPlan, items: readonly unknown[], instance: object, path: Issue['path']): readonly unknown[] {
    return items.map((item, position) => {
      const place = [...path, position];
      const read = this.#typed(property.itemType, item, place);
      if (read === undefined) return undefined;
      const value = this.#nested(property, read, place);
      this.#check(property.itemRules, value, { path: place, instance });
      return value;
    });
  }

  #nested(property: PropertyPlan, value: unknown, path: Issue['path']): unknown {
    return property.nested === undefined ? value : this.object(property.nested, value, path);
  }

  /** The value if it has the type, parsed from a string where that is asked for; `undefined` after an issue. */
  #typed(type: JsonType | undefined, given: unknown, path: Issue['path']): unknown {
    const value = this.#strings && typeof given === 'string' ? parse(given, type) : given;
    if (type === undefined || hasType(value, type)) return value;
    const article = /^[aeiou]/.test(type) ? 'an' : 'a';
    this.#refuse(path, `expected ${article} ${type}, got ${typeof value === 'number' ? String(value) : describeType(value)}`);
    return undefined;
  }

  #check(rules: readonly PropertyRule[], value: unknown, at: { readonly path: Issue['path']; readonly instance: object }): void {
    for (const rule of rules) {
      const message = violation(rule, value, at.path.join('.'), at.instance);
      if (message !== undefined) this.#refuse(at.path, message);
    }
  }

  #refuse(path: Issue['path'], message: string): void {
    this.issues.push({ path, message });
  }
}

function parse(text: string, type: JsonType | undefined): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  return text;
}
