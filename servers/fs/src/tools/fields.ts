import { Field, Integer, Text, type TypedField } from '@org/mcp-decorators';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import { IsByteLength } from 'class-validator/cjs/decorator/string/IsByteLength.js';
import { IsString } from 'class-validator/cjs/decorator/typechecker/IsString.js';

/** Maximum number of characters of a glob or regular expression. Longer patterns can exhaust memory or time. */
const MAX_PATTERN = 1000;
const MAX_PATTERNS = 100;

type FieldDecorator = (prototype: object, property: string) => void;

/** Declares the path of a file or directory. */
export function PathField(): TypedField<string, object> {
  return Text('Absolute, or in the first root');
}

/** Declares the cursor of a paged tool, at most 20,000 bytes. The limit is not advertised. */
export function CursorField(): TypedField<string, { readonly optional: true }> {
  return combine(IsByteLength(1, 20_000), Text('nextCursor of the previous page', { optional: true }));
}

/**
 * Declares an optional integer of at least `min`. The minimum is not advertised: it is obvious, and every model would read it.
 */
export function CountField(description: string, min: 0 | 1 = 1): TypedField<number, { readonly optional: true }> {
  return combine(IsAtLeast(min), Integer(description, { optional: true }));
}

/**
 * Declares an optional list of at most 100 globs. The limit is advertised, because a longer list is rejected before it is
 * read.
 */
export function GlobsField(description: string): FieldDecorator {
  return combine(
    Field(description),
    IsOptional(),
    IsString({ each: true }),
    IsPattern({ each: true }),
    ArrayMaxSize(MAX_PATTERNS),
  );
}

/**
 * Requires a pattern of 1 to 1000 characters. The limit is not advertised: only attacks reach it, and every model would read
 * it.
 */
export function IsPattern(options: { readonly each?: boolean } = {}): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isPattern',
      validator: {
        validate: (value) => typeof value === 'string' && value !== '' && value.length <= MAX_PATTERN,
        defaultMessage: () => `must have 1 to ${MAX_PATTERN} characters`,
      },
    },
    options,
  );
}

function IsAtLeast(min: number): PropertyDecorator {
  return ValidateBy({
    name: 'isAtLeast',
    validator: {
      // Values of other types get the message of `@Integer`.
      validate: (value) => typeof value !== 'number' || value >= min,
      defaultMessage: () => `must not be less than ${min}`,
    },
  });
}

function combine(...decorators: readonly FieldDecorator[]): FieldDecorator {
  return (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };
}
