import { describe, expect, it } from 'vitest';

import { emittedParameters, emittedType, Slot } from '../../src/metadata/slot.ts';

describe('a slot', () => {
  it('is empty on an object whose prototype has a value', () => {
    class Above {}
    class Below extends Above {}
    const slot = new Slot<string>('test-own');
    slot.write(Above.prototype, 'above');
    expect(slot.read(Above.prototype)).toBe('above');
    expect(slot.read(Below.prototype)).toBeUndefined();
  });

  it('is shared by slots of the same name, as two installed copies have them', () => {
    const target = {};
    new Slot<string>('test-shared').write(target, 'written by one copy');
    expect(new Slot<string>('test-shared').read(target)).toBe('written by one copy');
    expect(new Slot<string>('test-other').read(target)).toBeUndefined();
  });

  it('opens with the value that is there and makes one only where there is none', () => {
    const target = {};
    const slot = new Slot<string[]>('test-open');
    const made = slot.open(target, () => ['made']);
    expect(slot.open(target, () => ['never made'])).toBe(made);
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

  it('are those of a decorated method', () => {
    expect(emittedParameters(Above.prototype, 'decorated')).toEqual([String, Number]);
  });

  it('are undefined where the compiler emitted none, and never inherited', () => {
    expect(emittedParameters(Above.prototype, 'undecorated')).toBeUndefined();
    expect(emittedParameters(Below.prototype, 'decorated')).toBeUndefined();
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

  it('is its class, and says nothing of a union', () => {
    expect(emittedType(Above.prototype, 'declared')).toBe(Search);
    expect(emittedType(Above.prototype, 'union')).toBe(Object);
  });

  it('is undefined where the compiler emitted none, and never inherited', () => {
    expect(emittedType(Above.prototype, 'undecorated')).toBeUndefined();
    expect(emittedType(Below.prototype, 'declared')).toBeUndefined();
  });
});
