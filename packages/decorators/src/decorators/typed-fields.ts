import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { ValidateNested } from 'class-validator/cjs/decorator/common/ValidateNested.js';
import { Max } from 'class-validator/cjs/decorator/number/Max.js';
import { Min } from 'class-validator/cjs/decorator/number/Min.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
import { MaxLength } from 'class-validator/cjs/decorator/string/MaxLength.js';
import { MinLength } from 'class-validator/cjs/decorator/string/MinLength.js';
import { IsBoolean } from 'class-validator/cjs/decorator/typechecker/IsBoolean.js';
import { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt.js';
import { IsString } from 'class-validator/cjs/decorator/typechecker/IsString.js';

import type { Constructor } from '../metadata/lineage.ts';
import { refuseMissingParentheses, requireMemberName } from '../metadata/misuse.ts';
import type { FieldOptions } from '../metadata/options.ts';
import { Field } from './field.ts';

/** Options for every field decorator. */
interface CommonOptions extends Pick<FieldOptions, 'title' | 'format' | 'titles' | 'header'> {
  /** Clients may omit the value or send `null`. Default: false. A property with an initial value may always be omitted. */
  readonly optional?: boolean;
}

/** Options for `@Text`. */
export interface TextFieldOptions extends CommonOptions {
  /** Minimum number of characters. Default: 0. */
  readonly minLength?: number;
  /** Maximum number of characters. Default: no limit. */
  readonly maxLength?: number;
  /** Regular expression that the value must match. */
  readonly pattern?: RegExp;
}

/** Options for `@Integer`. */
export interface IntegerFieldOptions extends CommonOptions {
  /** Smallest value. Default: no limit. */
  readonly min?: number;
  /** Largest value. Default: no limit. */
  readonly max?: number;
}

/** Options for `@ListOf`. */
export interface ListFieldOptions extends CommonOptions {
  /** Minimum number of items. Default: 0. */
  readonly minItems?: number;
  /** Maximum number of items. Default: no limit. */
  readonly maxItems?: number;
}

/** Options for `@TextList`: `minLength`, `maxLength` and `pattern` apply to each item. */
export interface TextListFieldOptions extends ListFieldOptions, TextFieldOptions {}

/** Type that no property name has, so that the compiler reports an error with the message. */
interface Mistake<Message extends string> {
  readonly mistake: Message;
}

/**
 * `unknown` if all options exist, the property accepts `Value`, and field and property are both optional or both required. Otherwise
 * a `Mistake`.
 */
type Check<Target, Name, Value, Options, Known> = [Exclude<keyof Options, keyof Known>] extends [never]
  ? Name extends keyof Target
    ? [Value] extends [Target[Name]]
      ? Options extends { readonly optional: true }
        ? undefined extends Target[Name]
          ? unknown
          : Mistake<'the field is optional but the property is not: add a question mark, or remove optional: true'>
        : undefined extends Target[Name]
          ? Mistake<'the property is optional but the field is not: add optional: true, or remove the question mark'>
          : unknown
      : Mistake<'the decorator and the property declare different types'>
    : unknown
  : Mistake<`unknown option: ${Exclude<keyof Options, keyof Known> & string}`>;

/** Decorates a property whose type accepts `Value`; any other property is a compile-time error. */
export type TypedField<Value, Options, Known = Options> = <Target extends object, Name extends string>(
  prototype: Target,
  property: Name & Check<Target, Name, Value, Options, Known>,
) => void;

/** Declares a string: `@Text('Name of the note', { maxLength: 40 })`. Short for `@Field()`, `@IsString()` and its limits. */
export function Text<const Options extends TextFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<string, Options, TextFieldOptions> {
  const given = mergeOptions<TextFieldOptions>('@Text', described, options);
  return declareField('@Text', given, [IsString(), ...textRules(given)]);
}

/** Declares an integer: `@Integer('Lines to read', { min: 1 })`. Short for `@Field()`, `@IsInt()`, `@Min()` and `@Max()`. */
export function Integer<const Options extends IntegerFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<number, Options, IntegerFieldOptions> {
  const given = mergeOptions<IntegerFieldOptions>('@Integer', described, options);
  return declareField('@Integer', given, [IsInt(), ...rule(given.min, Min), ...rule(given.max, Max)]);
}

/** Declares a boolean: `@Flag('Include hidden files')`. Short for `@Field()` and `@IsBoolean()`. */
export function Flag<const Options extends CommonOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<boolean, Options, CommonOptions> {
  return declareField('@Flag', mergeOptions('@Flag', described, options), [IsBoolean()]);
}

/** Declares one of several values: `@OneOf(['asc', 'desc'], 'Sort order')`. Short for `@Field()` and `@IsIn()`. */
export function OneOf<const Value extends string | number, const Options extends CommonOptions = object>(
  values: readonly Value[],
  described?: string | Options,
  options?: Options,
): TypedField<Value, Options, CommonOptions>;
/** Declares one of the keys of an object, such as a table of functions. */
export function OneOf<const Value extends string, const Options extends CommonOptions = object>(
  table: Readonly<Record<Value, unknown>>,
  described?: string | Options,
  options?: Options,
): TypedField<Value, Options, CommonOptions>;
export function OneOf(
  values: readonly unknown[] | object,
  described?: string | CommonOptions,
  options?: CommonOptions,
): FieldDecorator {
  refuseMissingParentheses('@OneOf', values, described);
  const given = mergeOptions('@OneOf', described, options);
  return declareField('@OneOf', given, [IsIn(Array.isArray(values) ? [...values] : Object.keys(values))]);
}

/** Declares an array of strings: `@TextList('Paths of the files', { maxItems: 50 })`. */
export function TextList<const Options extends TextListFieldOptions = object>(
  described?: string | Options,
  options?: Options,
): TypedField<string[], Options, TextListFieldOptions> {
  const given = mergeOptions<TextListFieldOptions>('@TextList', described, options);
  const each = { each: true };
  return declareField('@TextList', given, [IsString(each), ...textRules(given, each), ...listRules(given)]);
}

/** Declares an array of instances of another annotated class: `@ListOf(() => Entry, 'The entries')`. */
export function ListOf<Item extends object, const Options extends ListFieldOptions = object>(
  type: () => Constructor<Item>,
  described?: string | Options,
  options?: Options,
): TypedField<Item[], Options, ListFieldOptions> {
  refuseMissingParentheses('@ListOf', type, described);
  const given = mergeOptions<ListFieldOptions>('@ListOf', described, options);
  return declareField('@ListOf', { ...given, type }, [ValidateNested({ each: true }), ...listRules(given)]);
}

/** Declares an instance of another annotated class: `@ObjectOf(() => Size, 'The size')`. */
export function ObjectOf<Instance extends object, const Options extends CommonOptions = object>(
  type: () => Constructor<Instance>,
  described?: string | Options,
  options?: Options,
): TypedField<Instance, Options, CommonOptions> {
  refuseMissingParentheses('@ObjectOf', type, described);
  return declareField('@ObjectOf', { ...mergeOptions('@ObjectOf', described, options), type }, [ValidateNested()]);
}

type FieldDecorator = (prototype: object, property: string) => void;

function mergeOptions<Options extends CommonOptions>(
  decorator: string,
  described: string | Options | undefined,
  options: Options | undefined,
): Options & FieldOptions;
function mergeOptions(
  decorator: string,
  described: string | FieldOptions | undefined,
  options: FieldOptions | undefined,
): FieldOptions {
  refuseMissingParentheses(decorator, described, options);
  return typeof described === 'string' ? { ...options, description: described } : { ...described };
}

function declareField(decorator: string, given: CommonOptions & FieldOptions, rules: readonly FieldDecorator[]): FieldDecorator {
  const { description, title, format, titles, header, type, optional } = given;
  const options = Object.entries({ description, title, format, titles, header, type }).filter(([, value]) => value !== undefined);
  const annotations = options.length === 0 ? [] : [Field(Object.fromEntries(options))];
  return (prototype, property) => {
    // The validators fail with an unrelated error if the property is not a property of a prototype.
    requireMemberName(prototype, property, decorator);
    for (const decorate of [...(optional ? [IsOptional()] : []), ...rules, ...annotations]) decorate(prototype, property);
  };
}

function textRules({ minLength, maxLength, pattern }: TextFieldOptions, each: { each?: boolean } = {}): FieldDecorator[] {
  return [
    ...rule(minLength, (length) => MinLength(length, each)),
    ...rule(maxLength, (length) => MaxLength(length, each)),
    ...rule(pattern, (expression) => Matches(expression, each)),
  ];
}

function listRules({ minItems, maxItems }: ListFieldOptions): FieldDecorator[] {
  return [...rule(minItems, ArrayMinSize), ...rule(maxItems, ArrayMaxSize)];
}

function rule<Limit>(limit: Limit | undefined, create: (limit: Limit) => FieldDecorator): FieldDecorator[] {
  return limit === undefined ? [] : [create(limit)];
}
