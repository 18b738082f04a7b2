import { describe, expect, it } from 'vitest';

import { classNameOf, lineage } from '../../src/metadata/lineage.ts';

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
