import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

import type { Constructor } from '../metadata/lineage.ts';
import type { FieldOptions } from '../metadata/options.ts';
import { Field } from './field.ts';

/** Options of every field decorator. */
interface CommonOptions extends Pick<FieldOptions, 'title' | 'format' | 'titles' | 'header'> {
  /** Clients may omit the value or send `null`. Default: false. A property with an initial value may always be omitted. */
  readonly optional?: boolean;
}

/** Options of `@Text`. */
export interface TextFieldOptions extends CommonOptions {
  /** Minimum number of characters. Default: 0. */
  readonly minLength?: number;
  /** Maximum number of characters. Default: no limit. */
  readonly maxLength?: number;
  /** Regular expression that the value must match. */
  readonly pattern?: RegExp;
}

/** Options of `@Integer`. */
export interface IntegerFieldOptions extends CommonOptions {
  /** Smallest value. Default: no limit. */
  readonly min?: number;
  /** Largest value. Default: no limit. */
  readonly max?: number;
}

/** Options of `@TextList` and `@ListOf`. */
export interface ListFieldOptions extends CommonOptions {
  /** Minimum number of items. Default: 0. */
  readonly minItems?: number;
  /** Maximum number of items. Default: no limit. */
  readonly maxItems?: number;
}

/** Options of `@TextList`: `minLength`, `maxLength` and `pattern` apply to each item. */
export interface TextListFieldOptions extends ListFieldOptions, TextFieldOptions {}

/** The property's name if values of type `Value` may be assigned to the property and `undefined` is allowed as the options say. */
type Fitting<Target, Name, Value, Options> = Name extends keyof Target
  ? [Value] extends [Target[Name]]
    ? Options extends { readonly optional: true }
      ? undefined extends Target[Name]
        ? Name
        : never
      : undefined extends Target[Name]
        ? never
        : Name
    : never
  : Name;

/** Decorates a property whose type accepts `Value`; anything else is a compile-time error. */
export type TypedField<Value, Options> = <Target extends object, Name extends string>(
  prototype: Target,
  property: Name & Fitting<Target, Name, Value, Options>,
) => void;

/** Declares a string: `@IsString()` with a description and limits. */
export function Text<const Options extends TextFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<string, Options> {
  const given = merged<TextFieldOptions>(described, options);
  return field(given, [IsString(), ...textRules(given)]);
}

/** Declares an integer: `@IsInt()` with a description and limits. */
export function Integer<const Options extends IntegerFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<number, Options> {
  const given = merged<IntegerFieldOptions>(described, options);
  return field(given, [IsInt(), ...rule(given.min, Min), ...rule(given.max, Max)]);
}

/** Declares a boolean: `@IsBoolean()` with a description. */
export function Flag<const Options extends CommonOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<boolean, Options> {
  return field(merged(described, options), [IsBoolean()]);
}

/** Declares one of the listed values, or of the keys of an object: `@IsIn(values)` with a description. */
export function OneOf<const Value extends string | number, const Options extends CommonOptions = object>(
  values: readonly Value[] | Readonly<Record<Value, unknown>>,
  described?: string | Options,
  options?: Options,
): TypedField<Value, Options> {
  return field(merged(described, options), [IsIn(isList(values) ? [...values] : Object.keys(values))]);
}

/** Declares an array of strings. */
export function TextList<const Options extends TextListFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<string[], Options> {
  const given = merged<TextListFieldOptions>(described, options);
  const each = { each: true };
  return field(given, [IsString(each), ...textRules(given, each), ...listRules(given)]);
}

/** Declares an array of instances of another annotated class: `@ListOf(() => Entry, 'The entries')`. */
export function ListOf<Item extends object, const Options extends ListFieldOptions = object>(
  type: () => Constructor<Item>,
  described?: string | Options,
  options?: Options,
): TypedField<Item[], Options> {
  const given = merged<ListFieldOptions>(described, options);
  return field({ ...given, type }, [ValidateNested({ each: true }), ...listRules(given)]);
}

/** Declares an instance of another annotated class: `@ObjectOf(() => Size, 'The size')`. */
export function ObjectOf<Instance extends object, const Options extends CommonOptions = object>(
  type: () => Constructor<Instance>,
  described?: string | Options,
  options?: Options,
): TypedField<Instance, Options> {
  return field({ ...merged(described, options), type }, [ValidateNested()]);
}

type Rule = (prototype: object, property: string) => void;

function merged<Options extends CommonOptions>(
  described: string | Options | undefined,
  options: Options | undefined,
): Options & FieldOptions;
function merged(described: string | FieldOptions | undefined, options: FieldOptions | undefined): FieldOptions {
  return typeof described === 'string' ? { ...options, description: described } : { ...described };
}

function field(given: CommonOptions & FieldOptions, rules: readonly Rule[]): Rule {
  const { description, title, format, titles, header, type, optional } = given;
  const options = Object.entries({ description, title, format, titles, header, type }).filter(([, value]) => value !== undefined);
  const annotations = options.length === 0 ? [] : [Field(Object.fromEntries(options))];
  return (prototype, property) => {
    for (const decorate of [...(optional ? [IsOptional()] : []), ...rules, ...annotations]) decorate(prototype, property);
  };
}

function isList(values: object): values is readonly unknown[] {
  return Array.isArray(values);
}

function textRules({ minLength, maxLength, pattern }: TextFieldOptions, each: { each?: boolean } = {}): Rule[] {
  return [
    ...rule(minLength, (length) => MinLength(length, each)),
    ...rule(maxLength, (length) => MaxLength(length, each)),
    ...rule(pattern, (expression) => Matches(expression, each)),
  ];
}

function listRules({ minItems, maxItems }: ListFieldOptions): Rule[] {
  return [...rule(minItems, ArrayMinSize), ...rule(maxItems, ArrayMaxSize)];
}

function rule<Limit>(limit: Limit | undefined, make: (limit: Limit) => Rule): Rule[] {
  return limit === undefined ? [] : [make(limit)];
}
