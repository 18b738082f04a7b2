/**
 * A schema of a library that implements Standard Schema and its extension for JSON Schema: zod from version 4.2, ArkType, or valibot
 * with `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<Value = unknown> {
  readonly '~standard': {
    /** Version of the Standard Schema specification. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>;
    readonly jsonSchema: { readonly input: ConvertSchema; readonly output: ConvertSchema };
    /** Never present at run time; declares the types for the compiler. */
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

/** Converts a schema to JSON Schema. Throws if JSON Schema cannot represent the schema. */
type ConvertSchema = (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;

/** Result of a validation. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A mistake in a value, with its path from the root. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
