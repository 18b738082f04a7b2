import { ArrayMaxSize, IsString, ValidateBy, type ValidationOptions } from 'class-validator';

/** Longer globs are bombs, not patterns. */
const MAX_PATTERN = 1000;
/** More globs than this are not read. */
const MAX_PATTERNS = 100;

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

/** At most 100 of them. That is advertised, because lists that are longer than the schema says are refused before they are looked through. */
export function IsPatterns(): PropertyDecorator {
  const decorators = [IsString({ each: true }), IsPattern({ each: true }), ArrayMaxSize(MAX_PATTERNS)];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
