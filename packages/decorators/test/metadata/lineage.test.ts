import { describe, expect, it } from 'vitest';

import { getClass, getClassName, getLineage, isConstructor } from '../../src/metadata/lineage.ts';

describe('the lineage of a class', () => {
  it('lists prototypes from the base class to the class itself, without Object', () => {
    class Base {}
    class Middle extends Base {}
    class Leaf extends Middle {}
    expect(getLineage(Leaf)).toEqual([Base.prototype, Middle.prototype, Leaf.prototype]);
  });
});

describe('the name of a class', () => {
  it('is its declared name', () => {
    class Notes {}
    expect(getClassName(Notes.prototype)).toBe('Notes');
  });

  it('is replaced by a description if the class has no name', () => {
    expect(getClassName((() => class {})().prototype)).toBe('an unnamed class');
  });
});

describe('the class of an object', () => {
  it('is its constructor, even if the object has another prototype in between', () => {
    class Notes {}
    expect([new Notes(), Object.create(new Notes())].map(getClass)).toEqual([Notes, Notes]);
  });

  it('is undefined for an object without a class', () => {
    expect([{}, Object.create(null), Object.create(Object.create(null))].map(getClass)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a constructor', () => {
  it('is recognised by its prototype', () => {
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
