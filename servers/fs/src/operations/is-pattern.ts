import { ValidateBy, type ValidationOptions } from 'class-validator';

/** Longer globs are bombs, not patterns. */
const MAX_PATTERN = 1000;
/** More globs than this are not read. */
export const MAX_PATTERNS = 100;

/** What is looked for, 1 to 1000 characters. The limit is not advertised: only attacks reach it, and every model would read it. */
export function IsPattern(options: ValidationOptions = {}): PropertyDecorator {
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
