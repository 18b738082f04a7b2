import { behind } from './hostile-texts.ts';

/** A JSON Schema, as far as inputs of tools use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
}

/** The path of a string in a value, and a function that returns the value with a text at this place. */
export interface StringPlace {
  readonly path: string;
  readonly withText: (text: string) => unknown;
}

/** Ordinary values of parameters by name, for parameters without a hostile text. */
export type UsualValues = Readonly<Record<string, unknown>>;

/**
 * Returns every place of a string in a value of a schema, also in lists and objects. An object around the string has its required
 * properties and the properties with usual values.
 */
export function stringPlaces(schema: Schema, usual: UsualValues): readonly StringPlace[] {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.flatMap((variant) => stringPlaces(variant, usual));
  const { items, properties = {} } = schema;
  return [
    ...(typesOf(schema).includes('string') ? [{ path: '', withText: (text: string) => text }] : []),
    ...(items === undefined ? [] : itemPlaces(items, usual)),
    ...Object.keys(properties).flatMap((name) => propertyPlaces(schema, name, usual)),
  ];
}

function itemPlaces(items: Schema, usual: UsualValues): readonly StringPlace[] {
  return stringPlaces(items, usual).map(({ path, withText }) => ({
    path: `[]${path}`,
    withText: (text) => [withText(text)],
  }));
}

function propertyPlaces(schema: Schema, name: string, usual: UsualValues): readonly StringPlace[] {
  const value = usual[name];
  return stringPlaces(schema.properties?.[name] ?? {}, usual).map(({ path, withText }) => ({
    path: `.${name}${path}`,
    withText: (text) => ({
      ...usualObject(schema, usual),
      [name]: withText(typeof value === 'string' ? behind(value, text) : text),
    }),
  }));
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat();
}

function usualValue(schema: Schema, usual: UsualValues): unknown {
  const variant = (schema.anyOf ?? schema.oneOf)?.[0];
  if (variant !== undefined) return usualValue(variant, usual);
  const [listed] = schema.enum ?? ('const' in schema ? [schema.const] : []);
  const [type = ''] = typesOf(schema);
  return listed ?? USUAL[type]?.(schema, usual) ?? null;
}

const USUAL: Readonly<Record<string, (schema: Schema, usual: UsualValues) => unknown>> = {
  string: () => 'x',
  boolean: () => false,
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  array: ({ items }, usual) => (items === undefined ? [] : [usualValue(items, usual)]),
  object: usualObject,
};

/**
 * Returns an object without hostile texts. It has the required properties of the schema, and the properties with usual values.
 */
export function usualObject({ properties = {}, required = [] }: Schema, usual: UsualValues): Readonly<Record<string, unknown>> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || Object.hasOwn(usual, name));
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(usual, name) ? usual[name] : usualValue(properties[name] ?? {}, usual)]),
  );
}
