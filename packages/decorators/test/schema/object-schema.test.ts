import { Equals, IsArray, IsInt, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';
import { declared } from './fixtures/declared.ts';
import { advertised } from './fixtures/json-schema-validator.ts';

const SHARED = ['docs'];

class Range {
  @Field('First line') @IsInt() from!: number;
  @IsInt() to = 9;
}
class Search {
  @Field('Text to find', { title: 'Pattern' }) @IsString() pattern!: string;
  @IsOptional() @IsString() glob?: string;
  @IsString({ each: true }) folders: string[] = SHARED;
  @Field('Lines to look at', { type: () => Range }) @IsOptional() @ValidateNested() lines?: Range;
  @Field('Lines to leave out', { type: () => Range }) @IsArray() @ValidateNested() without: Range[] = [];
}

const RANGE = {
  type: 'object',
  properties: { from: { type: 'integer', description: 'First line' }, to: { type: 'integer', default: 9 } },
  required: ['from'],
};
const SEARCH = {
  type: 'object',
  properties: {
    pattern: { type: 'string', title: 'Pattern', description: 'Text to find' },
    glob: { type: 'string' },
    folders: { type: 'array', items: { type: 'string' }, default: ['docs'] },
  },
  required: ['pattern'],
};

describe('the schema of a class', () => {
  it('is closed for input, with nested classes, and has initial values as defaults', () => {
    const range = { ...RANGE, additionalProperties: false };
    expect(ClassSchema.of(Search).input).toEqual({
      ...SEARCH,
      properties: {
        ...SEARCH.properties,
        lines: { ...range, description: 'Lines to look at' },
        without: { type: 'array', items: range, description: 'Lines to leave out', default: [] },
      },
      additionalProperties: false,
    });
  });

  it('is open for output, so that fields can be added later', () => {
    expect(ClassSchema.of(Search).output).toEqual({
      ...SEARCH,
      properties: {
        ...SEARCH.properties,
        lines: { ...RANGE, description: 'Lines to look at' },
        without: { type: 'array', items: RANGE, description: 'Lines to leave out', default: [] },
      },
    });
  });

  it('is created once and deeply frozen', () => {
    const { input, output } = ClassSchema.of(Search);
    expect(ClassSchema.of(Search)).toMatchObject({ input, output });
    expect(ClassSchema.of(Search).input).toBe(input);
    const parts = [
      input,
      output,
      input.properties,
      input.required,
      input.properties['folders'],
      input.properties['folders']?.default,
    ];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });

  it('does not freeze values of the class', () => {
    expect(ClassSchema.of(Search).input.properties['folders']?.default).toEqual(SHARED);
    expect(Object.isFrozen(SHARED)).toBe(false);
  });
});

describe('the schema of a class that contains itself', () => {
  class Folder {
    @IsString() name!: string;
    @Field('Folders in it', { type: () => Folder }) @ValidateNested({ each: true }) folders: Folder[] = [];
  }
  class Move {
    @Field('Entry to move', { type: () => Folder }) @ValidateNested() from!: Folder;
    @Field({ type: () => Folder }) @IsOptional() @ValidateNested() to?: Folder;
  }
  const folder = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      folders: { type: 'array', description: 'Folders in it', items: { $ref: '#/$defs/Folder' }, default: [] },
    },
    required: ['name'],
    additionalProperties: false,
  };

  it('refers to one shared definition', () => {
    expect(ClassSchema.of(Folder).input).toEqual({ ...folder, $defs: { Folder: folder } });
    expect(ClassSchema.of(Move).input).toEqual({
      type: 'object',
      properties: {
        from: { description: 'Entry to move', $ref: '#/$defs/Folder' },
        to: { $ref: '#/$defs/Folder' },
      },
      required: ['from'],
      additionalProperties: false,
      $defs: { Folder: folder },
    });
  });

  it('is finite, frozen and valid for other validators', () => {
    const { input, output } = ClassSchema.of(Folder);
    expect(JSON.stringify(input)).not.toBe(JSON.stringify(output));
    expect(Object.isFrozen(input.$defs?.['Folder']?.properties)).toBe(true);
    const isAdvertised = advertised(input);
    expect(isAdvertised({ name: 'a', folders: [{ name: 'b', folders: [{ name: 'c' }] }] })).toBe(true);
    expect(isAdvertised({ name: 'a', folders: [{ name: 'b', folders: [{ nam: 'c' }] }] })).toBe(false);
  });

  it('distinguishes classes with the same name', () => {
    const other = (): Constructor => {
      class Folder {
        @IsInt() size!: number;
        @Field({ type: () => Folder }) @IsOptional() @ValidateNested() inner?: Folder;
      }
      return Folder;
    };
    const Other = other();
    class Both {
      @Field({ type: () => Folder }) @ValidateNested() one!: Folder;
      @Field({ type: () => Other }) @ValidateNested() two!: object;
    }
    const { properties, $defs } = ClassSchema.of(Both).input;
    expect(properties).toEqual({ one: { $ref: '#/$defs/Folder' }, two: { $ref: '#/$defs/Folder_2' } });
    expect(Object.keys($defs?.['Folder_2']?.properties ?? {})).toEqual(['size', 'inner']);
  });

  it('has a definition for each of two classes that contain each other', () => {
    class Left {
      @Field({ type: () => Right }) @IsOptional() @ValidateNested() right?: object;
    }
    class Right {
      @Field({ values: () => Left }) @IsOptional() lefts?: object;
    }
    const { properties, $defs } = ClassSchema.of(Left).input;
    expect(properties).toEqual({ right: { $ref: '#/$defs/Right' } });
    expect(Object.keys($defs ?? {}).toSorted()).toEqual(['Left', 'Right']);
  });
});

describe('the schema of a union', () => {
  class Insert {
    @Equals('insert') kind = 'insert' as const;
    @Field({ type: () => Edit }) @IsOptional() @ValidateNested() next?: object;
  }
  class Remove {
    @Equals('remove') kind!: 'remove';
  }
  class Edit {
    @Field('One step', { oneOf: () => [Insert, Remove], discriminator: 'kind' }) @ValidateNested() step!: Insert | Remove;
  }

  it('requires the discriminator of each member, also if a member contains the union', () => {
    const { properties, $defs } = ClassSchema.of(Edit).input;
    expect(properties['step']).toEqual({
      description: 'One step',
      type: 'object',
      oneOf: [
        { $ref: '#/$defs/Insert', required: ['kind'] },
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'remove' } },
          required: ['kind'],
          additionalProperties: false,
        },
      ],
    });
    expect(Object.keys($defs ?? {}).toSorted()).toEqual(['Edit', 'Insert']);
  });

  it('is open for output, and still distinguishes its members', () => {
    const isAdvertised = advertised(ClassSchema.of(Edit).output);
    expect(isAdvertised({ step: { kind: 'remove', later: 1 } })).toBe(true);
    expect(isAdvertised({ step: { kind: 'replace' } })).toBe(false);
  });
});

describe('the schema of a property', () => {
  it('has its header only in the input schema', () => {
    class Regional {
      @Field('Where', { header: 'Region' }) @IsString() region!: string;
    }
    expect(ClassSchema.of(Regional).input.properties['region']).toEqual({
      type: 'string',
      description: 'Where',
      'x-mcp-header': 'Region',
    });
    expect(ClassSchema.of(Regional).output.properties['region']).toEqual({ type: 'string', description: 'Where' });
  });

  it('does not require a conditionally required property', () => {
    class Range {
      @IsInt() from!: number;
      @ValidateIf(({ from }: Range) => from > 0) @IsInt() to!: number;
    }
    expect(ClassSchema.of(Range).input.required).toEqual(['from']);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a function', () => 1],
    ['no number', Number.NaN],
  ])('has no default that JSON cannot represent: %s', (_, initial) => {
    const schema = ClassSchema.of(declared([Field({ type: 'any' })], initial)).input;
    expect(schema.properties['value']).toEqual({});
    expect(schema.required).toBeUndefined();
  });
});
