import { describe, expect, it } from 'vitest';

import { Slot, readEmittedParameters, readEmittedType } from '../../src/metadata/slot.ts';

describe('a slot', () => {
  it('does not inherit the value of the prototype', () => {
    class Above {}
    class Below extends Above {}
    const slot = new Slot<string>('test-own');
    slot.write(Above.prototype, 'above');
    expect(slot.read(Above.prototype)).toBe('above');
    expect(slot.read(Below.prototype)).toBeUndefined();
  });

  it('is shared by slots of the same name in two installed copies', () => {
    const target = {};
    new Slot<string>('test-shared').write(target, 'written by one copy');
    expect(new Slot<string>('test-shared').read(target)).toBe('written by one copy');
    expect(new Slot<string>('test-other').read(target)).toBeUndefined();
  });

  it('returns the existing value, and creates one only if it is empty', () => {
    const target = {};
    const slot = new Slot<string[]>('test-open');
    const made = slot.getOrCreate(target, () => ['made']);
    expect(slot.getOrCreate(target, () => ['never made'])).toBe(made);
    expect(slot.read(target)).toEqual(['made']);
  });
});

describe('the emitted parameters', () => {
  const seen: MethodDecorator = () => undefined;

  class Above {
    @seen decorated(_name: string, _length: number): void {}
    undecorated(_name: string): void {}
  }
  class Below extends Above {
    override decorated(_name: string): void {}
  }

  it('are the types of a decorated method', () => {
    expect(readEmittedParameters(Above.prototype, 'decorated')).toEqual([String, Number]);
  });

  it('are undefined if the compiler emitted none, and are not inherited', () => {
    expect(readEmittedParameters(Above.prototype, 'undecorated')).toBeUndefined();
    expect(readEmittedParameters(Below.prototype, 'decorated')).toBeUndefined();
  });
});

describe('the emitted type of a property', () => {
  const seen: PropertyDecorator = () => undefined;

  class Search {}
  class Above {
    @seen declared: Search = new Search();
    @seen union: Search | undefined = undefined;
    undecorated: Search = new Search();
  }
  class Below extends Above {
    override declared: Search = new Search();
  }

  it('is the class, or Object for a union', () => {
    expect(readEmittedType(Above.prototype, 'declared')).toBe(Search);
    expect(readEmittedType(Above.prototype, 'union')).toBe(Object);
  });

  it('is undefined if the compiler emitted none, and is not inherited', () => {
    expect(readEmittedType(Above.prototype, 'undecorated')).toBeUndefined();
    expect(readEmittedType(Below.prototype, 'declared')).toBeUndefined();
  });
});
