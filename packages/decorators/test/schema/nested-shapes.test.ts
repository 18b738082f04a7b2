import { Equals, IsArray, IsIn, IsInt, IsNumber, IsOptional, IsString, Min, ValidateIf, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';
import { declared, lines, refusals } from './fixtures/declared.ts';

class Circle {
  @Equals('circle') kind = 'circle' as const;
  @IsNumber() @Min(0) radius!: number;
}
class Rectangle {
  @IsIn(['square', 'rectangle']) kind!: 'square' | 'rectangle';
  @IsNumber() width!: number;
}
class Drawing {
  @Field('Drawn shape', { oneOf: () => [Circle, Rectangle], discriminator: 'kind' }) @IsArray() shapes!: (Circle | Rectangle)[];
}
class Level {
  @Field({ oneOf: () => [On, Off], discriminator: 'on' }) @ValidateNested() state!: object;
}
class On {
  @Equals(true) on!: true;
}
class Off {
  @Equals(false) on!: false;
}

describe('an object of a union', () => {
  it('is an instance of the class that its discriminator names', () => {
    const shapes = [
      { kind: 'circle', radius: 1 },
      { kind: 'square', width: 2 },
      { kind: 'rectangle', width: 3 },
    ];
    const { value } = ClassSchema.of(Drawing).parse({ shapes });
    expect(value?.shapes).toEqual(shapes);
    expect(value?.shapes.map((shape) => shape.constructor)).toEqual([Circle, Rectangle, Rectangle]);
  });

  it('may have a discriminator that is not a string', () => {
    expect(ClassSchema.of(Level).parse({ state: { on: false } }).value?.state).toBeInstanceOf(Off);
    expect(refusals(Level, { state: { on: 'false' } })).toEqual(['state.on: "false" is not known; one of true, false']);
  });

  const KNOWN = 'one of "circle", "square", "rectangle"';

  it.each<[string, unknown, string]>([
    ['an unknown kind', { kind: 'triangle', radius: 1 }, `shapes.0.kind: "triangle" is not known; ${KNOWN}`],
    ['a missing kind', { radius: 1 }, `shapes.0.kind: is required; ${KNOWN}`],
    ['null', { kind: null }, `shapes.0.kind: is required; ${KNOWN}`],
    ['a kind that is not a string', { kind: ['circle'] }, `shapes.0.kind: an array is not known; ${KNOWN}`],
    ['a kind that is inherited', Object.create({ kind: 'circle' }), `shapes.0.kind: is required; ${KNOWN}`],
    ['the name of a method of all objects', { kind: 'toString' }, `shapes.0.kind: "toString" is not known; ${KNOWN}`],
    ['a value that is not an object', 'circle', 'shapes.0: expected an object, got a string'],
    [
      "another class's property",
      { kind: 'circle', radius: 1, width: 1 },
      'shapes.0.width: is not known; the known names are kind, radius',
    ],
    ['a violated rule', { kind: 'circle', radius: -1 }, 'shapes.0.radius: must not be less than 0'],
  ])('is rejected with the known kinds: %s', (_, shape, expected) => {
    expect(refusals(Drawing, { shapes: [shape] })).toEqual([expected]);
  });

  it('is reported with the start of a long kind', () => {
    const [line = ''] = refusals(Drawing, { shapes: [{ kind: 'x'.repeat(10_000) }] });
    expect(line.length).toBeLessThan(400);
  });
});

describe('a map', () => {
  class Point {
    @IsInt() x!: number;
    @IsInt() y = 0;
  }
  class Places {
    @Field('Keyed by name', { values: () => Point }) points!: Record<string, Point>;
    @Field('Keyed by name', { values: ['string', 'null'] }) @IsOptional() labels?: Record<string, string | null>;
  }

  it('has instances as values', () => {
    const { value } = ClassSchema.of(Places).parse({ points: { home: { x: 1 } } });
    expect(value?.points['home']).toBeInstanceOf(Point);
    expect(value?.points).toEqual({ home: { x: 1, y: 0 } });
  });

  it('keeps null if its type allows it, and otherwise drops it', () => {
    const { value } = ClassSchema.of(Places).parse({ points: { a: null }, labels: { a: null } });
    expect(value).toEqual({ points: {}, labels: { a: null } });
  });

  it('is reported with the keys of its mistakes', () => {
    expect(refusals(Places, { points: { 'a b': { x: 'y' }, c: 1 }, labels: { d: 2 } })).toEqual([
      'points.a b.x: expected an integer, got a string',
      'points.c: expected an object, got 1',
      'labels.d: expected a string or null, got 2',
    ]);
  });

  it('may have any key except __proto__, each as an own property', () => {
    const given = JSON.parse('{"constructor":{"x":1},"hasOwnProperty":{"x":2},"__defineGetter__":{"x":3},"":{"x":4}}');
    const { value } = ClassSchema.of(Places).parse({ points: given });
    expect(Object.keys(value?.points ?? {})).toEqual(['constructor', 'hasOwnProperty', '__defineGetter__', '']);
    expect(Object.getPrototypeOf(value?.points)).toBe(Object.prototype);
  });
});

describe('an array of mixed types', () => {
  const parameters = declared([Field('Parameters', { type: ['string', 'number', 'boolean', 'null'] }), IsArray()]);

  it('keeps its null elements', () => {
    const value = ['a', 1.5, true, null];
    expect(ClassSchema.of(parameters).parse({ value }).value).toEqual({ value });
  });

  it('rejects other types', () => {
    expect(refusals(parameters, { value: [1, {}, []] })).toEqual([
      'value.1: expected a string or a number or a boolean or null, got an object',
      'value.2: expected a string or a number or a boolean or null, got an array',
    ]);
  });
});

describe('a class that contains itself', () => {
  class Tree {
    @IsString() name!: string;
    @Field({ type: () => Tree }) @IsOptional() @ValidateNested({ each: true }) children?: Tree[];
    @Field({ type: () => Tree }) @IsOptional() @ValidateNested() next?: object;
  }
  const chain = (length: number): object => {
    let tree: object = { name: 'leaf' };
    for (let depth = 1; depth < length; depth += 1) tree = { name: 'node', next: tree };
    return tree;
  };

  it('is read to instances at every depth', () => {
    const { value } = ClassSchema.of(Tree).parse({ name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] });
    expect(value?.children?.[0]?.children?.[0]).toBeInstanceOf(Tree);
  });

  it('is reported with mistakes at every depth', () => {
    expect(refusals(Tree, { name: 'a', children: [{ name: 'b', children: [{ nam: 'c' }] }] })).toEqual([
      'children.0.children.0.nam: is not known; did you mean "name"?',
      'children.0.children.0.name: is required',
    ]);
  });

  it('may nest 64 levels deep', () => {
    expect(refusals(Tree, chain(64))).toEqual([]);
    const { issues = [] } = ClassSchema.of(Tree).parse(chain(66));
    expect(issues.map(({ path, message }) => [path.length, message])).toEqual([[64, 'is nested more than 64 levels deep']]);
  });

  it.each<[string, () => unknown]>([
    ['a hundred thousand objects', () => chain(100_000)],
    ['a circular object', cyclic],
  ])('is rejected without a stack overflow: %s', (_, make) => {
    expect(lines(ClassSchema.of(Tree).parse(make()).issues ?? [])).toHaveLength(1);
  });

  function cyclic(): object {
    const tree: { name: string; next?: object } = { name: 'a' };
    tree.next = tree;
    return tree;
  }
});

describe('a free-form value', () => {
  const free = declared([Field({ type: 'any' })]);
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  it('may nest as deep as an object', () => {
    expect(refusals(free, { value: nested(63) })).toEqual([]);
    const { issues = [] } = ClassSchema.of(free).parse({ value: nested(64) });
    expect(issues.map(({ path, message }) => [path.length, message])).toEqual([[64, 'is nested more than 64 levels deep']]);
  });

  it('is rejected without a stack overflow at any depth', () => {
    expect(refusals(free, { value: nested(5000) })).toHaveLength(1);
  });
});

describe('a property under a condition', () => {
  class Range {
    @IsInt() from!: number;
    @ValidateIf(({ from }: Range) => from > 0) @IsInt() @Min(10) to!: number;
  }

  it.each<[string, object, readonly string[]]>([
    ['its rules apply if the condition is met', { from: 1, to: 9 }, ['to: must not be less than 10']],
    ['it is required if the condition is met', { from: 1 }, ['to: is required']],
    ['it is required if the condition is met, and null counts as absent', { from: 1, to: null }, ['to: is required']],
    ['its rules do not apply if the condition is not met', { from: 0, to: 9 }, []],
    ['it may be absent if the condition is not met', { from: 0 }, []],
    ['its type is always checked', { from: 0, to: 'a' }, ['to: expected an integer, got a string']],
    ['it is accepted', { from: 1, to: 10 }, []],
  ])('%s', (_, value, expected) => {
    expect(refusals(Range, value)).toEqual(expected);
  });

  it('is not evaluated if other properties of the object are invalid', () => {
    class Named {
      @IsString() name!: string;
      @ValidateIf(({ name }: Named) => name.startsWith('x')) @IsInt() size!: number;
    }
    expect(refusals(Named, {})).toEqual(['name: is required']);
    expect(refusals(Named, { name: 1, size: 2 })).toEqual(['name: expected a string, got 1']);
    expect(refusals(Named, { name: 'xa' })).toEqual(['size: is required']);
  });

  it('is checked by its initial value', () => {
    class Initial {
      @IsInt() from = 1;
      @ValidateIf((_, value: unknown) => value === 5) @IsInt() @Min(10) to = 5;
    }
    expect(refusals(Initial, {})).toEqual([]);
    expect(refusals(Initial, { to: 5 })).toEqual(['to: must not be less than 10']);
  });
});
