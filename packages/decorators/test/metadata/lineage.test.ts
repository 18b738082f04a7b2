import { describe, expect, it } from 'vitest';

import { classNameOf, classOf, isConstructor, lineage } from '../../src/metadata/lineage.ts';

describe('the lineage of a class', () => {
  it('goes from the base-most prototype to its own and leaves Object out', () => {
    class Base {}
    class Middle extends Base {}
    class Leaf extends Middle {}
    expect(lineage(Leaf)).toEqual([Base.prototype, Middle.prototype, Leaf.prototype]);
  });
});

describe('the name of a class', () => {
  it('is the one it was declared with', () => {
    class Notes {}
    expect(classNameOf(Notes.prototype)).toBe('Notes');
  });

  it('is said to be missing where a class has none', () => {
    expect(classNameOf((() => class {})().prototype)).toBe('an unnamed class');
  });
});

describe('the class of an object', () => {
  it('is the one it was made of, also behind a prototype of its own', () => {
    class Notes {}
    expect([new Notes(), Object.create(new Notes())].map(classOf)).toEqual([Notes, Notes]);
  });

  it('is none for what no class made', () => {
    expect([{}, Object.create(null), Object.create(Object.create(null))].map(classOf)).toEqual([undefined, undefined, undefined]);
  });
});

describe('a constructor', () => {
  it('is a function that makes objects', () => {
    expect([class {}, Object, (): void => undefined, {}, undefined, 'Notes'].map(isConstructor)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
