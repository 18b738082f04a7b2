import {
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidatorConstraint,
  ValidateBy,
  type ValidationOptions,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';
import { refusals } from './fixtures/declared.ts';

class Base {
  @Field('Lines to read') @IsOptional() @IsInt() @Min(1) @Max(100) limit?: number;
  @IsString({ each: true }) @MinLength(2, { each: true }) tags: string[] = [];
}

describe('a redeclared property', () => {
  class Raised extends Base {
    @Max(1000) declare limit?: number;
  }
  class Required extends Raised {
    @IsDefined() declare limit?: number;
  }
  class Again extends Required {
    @IsOptional() declare limit?: number;
  }

  it('replaces inherited rules of the same name and keeps the others', () => {
    expect(ClassSchema.of(Raised).input.properties['limit']).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(refusals(Raised, { limit: 1000 })).toEqual([]);
    expect(refusals(Raised, { limit: 1001 })).toEqual(['limit: must not be greater than 1000']);
    expect(refusals(Raised, { limit: 0 })).toEqual(['limit: must not be less than 1']);
    expect(refusals(Raised, {})).toEqual([]);
  });

  it('is required again by @IsDefined() and optional again by @IsOptional()', () => {
    expect([Base, Raised, Required, Again].map((target) => ClassSchema.of(target).input.required)).toEqual([
      undefined,
      undefined,
      ['limit'],
      undefined,
    ]);
    expect(refusals(Required, {})).toEqual(['limit: is required']);
    expect(refusals(Required, { limit: 1001 })).toEqual(['limit: must not be greater than 1000']);
    expect(refusals(Again, {})).toEqual([]);
  });

  it('does not change the base class', () => {
    expect(ClassSchema.of(Base).input.properties['limit']).toMatchObject({ minimum: 1, maximum: 100 });
    expect(refusals(Base, { limit: 101 })).toEqual(['limit: must not be greater than 100']);
  });

  it('inherits the description unless it has its own', () => {
    class Described extends Base {
      @Field('Most lines to read') declare limit?: number;
    }
    expect(ClassSchema.of(Raised).input.properties['limit']?.description).toBe('Lines to read');
    expect(ClassSchema.of(Described).input.properties['limit']).toMatchObject({
      description: 'Most lines to read',
      maximum: 100,
    });
  });

  it('replaces a rule for elements only by another rule for elements', () => {
    class Short extends Base {
      @MaxLength(3, { each: true }) declare tags: string[];
    }
    class Long extends Short {
      @MinLength(1, { each: true }) declare tags: string[];
    }
    expect(ClassSchema.of(Short).input.properties['tags']?.items).toEqual({ type: 'string', minLength: 2, maxLength: 3 });
    expect(ClassSchema.of(Long).input.properties['tags']?.items).toEqual({ type: 'string', minLength: 1, maxLength: 3 });
  });

  it('keeps a rule of the list together with the same rule for elements', () => {
    const short = (options?: ValidationOptions): PropertyDecorator =>
      ValidateBy({ name: 'short', validator: { validate: (value) => hasLength(value) && value.length < 3 } }, options);
    class Short extends Base {
      @short() declare tags: string[];
    }
    class ShortOnes extends Short {
      @short({ each: true }) declare tags: string[];
    }
    expect(refusals(ShortOnes, { tags: ['aa', 'bb', 'cc'] })).toEqual(['tags: does not satisfy short']);
    expect(refusals(ShortOnes, { tags: ['aa', 'bbb'] })).toEqual(['tags.1: does not satisfy short']);
  });
});

describe('a subclass', () => {
  class Left extends Base {
    @IsString() left!: string;
  }
  class Right extends Base {
    @IsString() right!: string;
  }

  it('has the inherited properties and then its own, but no properties of other subclasses', () => {
    expect([Base, Left, Right].map((target) => Object.keys(ClassSchema.of(target).input.properties))).toEqual([
      ['limit', 'tags'],
      ['limit', 'tags', 'left'],
      ['limit', 'tags', 'right'],
    ]);
  });
});

describe('rules of one name on one property', () => {
  class Named {
    @IsString() @Matches(/^a/) @Matches(/z$/) name!: string;
  }

  it('all hold', () => {
    expect(refusals(Named, { name: 'az' })).toEqual([]);
    expect(refusals(Named, { name: 'b' })).toEqual([
      'name: must match /z$/ regular expression',
      'name: must match /^a/ regular expression',
    ]);
  });

  it('are all replaced by one rule in a subclass', () => {
    class Renamed extends Named {
      @Matches(/^b$/) declare name: string;
    }
    expect(refusals(Renamed, { name: 'b' })).toEqual([]);
    expect(ClassSchema.of(Renamed).input.properties['name']).toEqual({ type: 'string', pattern: '^b$' });
  });
});

describe('a rule with its own condition', () => {
  class Range {
    @IsInt() from!: number;
    @IsInt() @Min(10, { validateIf: ({ from }: Range) => from > 0 }) to!: number;
  }

  it('applies while the condition holds, and has no keyword', () => {
    expect(refusals(Range, { from: 1, to: 9 })).toEqual(['to: must not be less than 10']);
    expect(refusals(Range, { from: 0, to: 9 })).toEqual([]);
    expect(ClassSchema.of(Range).input.properties['to']).toEqual({ type: 'integer' });
  });
});

describe('an initialised property', () => {
  class Base {
    @IsInt() limit = 10;
  }

  it('is required with @IsDefined(), and then has no default', () => {
    class Explicit extends Base {
      @IsDefined() declare limit: number;
    }
    expect(ClassSchema.of(Explicit).input).toMatchObject({ properties: { limit: { type: 'integer' } }, required: ['limit'] });
    expect(ClassSchema.of(Explicit).input.properties['limit']).not.toHaveProperty('default');
    expect(refusals(Explicit, {})).toEqual(['limit: is required']);
    expect(ClassSchema.of(Base).input.required).toBeUndefined();
  });
});

describe('the message for a long value', () => {
  it('contains the start of the value', () => {
    class Named {
      @IsIn(['a'], { message: '"$value" is not known' }) name!: string;
    }
    const [line = ''] = refusals(Named, { name: 'x'.repeat(100_000) });
    expect(line).toMatch(/^name: "x+…" is not known$/);
    expect(line.length).toBeLessThan(300);
  });
});

describe('a custom validator', () => {
  @ValidatorConstraint({ name: 'notReserved' })
  class NotReserved implements ValidatorConstraintInterface {
    validate(value: unknown): boolean {
      return value !== 'con';
    }
    defaultMessage(): string {
      return '$property is a reserved name';
    }
  }
  const Even =
    (): PropertyDecorator =>
    ({ constructor }, name) =>
      registerDecorator({
        name: 'even',
        target: constructor,
        propertyName: String(name),
        validator: { validate: (value) => Number(value) % 2 === 0 },
      });

  class Named {
    @IsString() @Validate(NotReserved) name!: string;
    @IsInt() @Even() size!: number;
  }

  it('is enforced without a keyword, and reported by name if it has no message', () => {
    expect(ClassSchema.of(Named).input.properties).toEqual({ name: { type: 'string' }, size: { type: 'integer' } });
    expect(refusals(Named, { name: 'a', size: 2 })).toEqual([]);
    expect(refusals(Named, { name: 'con', size: 3 })).toEqual(['name: is a reserved name', 'size: does not satisfy even']);
  });

  it('is replaced by the same validator in a subclass', () => {
    class Renamed extends Named {
      @Validate(NotReserved, { message: 'is taken' }) declare name: string;
    }
    expect(refusals(Renamed, { name: 'con', size: 2 })).toEqual(['name: is taken']);
  });
});

function hasLength(value: unknown): value is { readonly length: number } {
  return typeof value === 'string' || Array.isArray(value);
}
