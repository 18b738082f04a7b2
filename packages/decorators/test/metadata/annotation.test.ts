import { describe, expect, it } from 'vitest';

import { DefinitionError } from '../../src/errors.ts';
import {
  annotateField,
  annotateMember,
  annotateServer,
  fieldAnnotations,
  memberAnnotations,
  serverAnnotation,
} from '../../src/metadata/annotation.ts';

class Base {}
class Left extends Base {}
class Right extends Base {}

describe('an annotation', () => {
  it('is written under the prototype it stands on and seen from no other', () => {
    annotateMember(Base.prototype, 'shared', { kind: 'tool', options: { description: 'base' } });
    annotateMember(Left.prototype, 'shared', { kind: 'tool', options: { description: 'left' } });
    annotateField(Left.prototype, 'path', { description: 'left' });
    annotateServer(Left.prototype, { name: 'left' });

    expect(memberAnnotations(Base.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'base' } }]);
    expect(memberAnnotations(Left.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'left' } }]);
    expect(memberAnnotations(Right.prototype)).toEqual(new Map());
    expect([Base, Left, Right].map(({ prototype }) => fieldAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => serverAnnotation(prototype)?.name)).toEqual([undefined, 'left', undefined]);
  });

  it('joins others of the same method instead of replacing them', () => {
    class Notes {}
    annotateMember(Notes.prototype, 'index', { kind: 'resource', options: { uri: 'notes://index' } });
    annotateMember(Notes.prototype, 'index', { kind: 'tool', options: { description: 'List the notes' } });
    expect(
      memberAnnotations(Notes.prototype)
        .get('index')
        ?.map(({ kind }) => kind),
    ).toEqual(['resource', 'tool']);
  });
});

describe('a member whose name is not a string', () => {
  const context = { kind: 'method', name: 'readTextFile' };
  const standard = (): void => undefined;

  it.each<[string, () => void, string]>([
    [
      'a standard method decorator',
      () => annotateMember(standard, context, { kind: 'tool', options: {} }),
      'a class: @Tool stands on',
    ],
    ['a standard field decorator', () => annotateField(standard, context, {}), 'a class: @Field stands on'],
    [
      'a symbol',
      () => annotateMember(Base.prototype, Symbol('read'), { kind: 'prompt', options: {} }),
      'Base: @Prompt stands on',
    ],
  ])('is refused at once and the remedy is experimentalDecorators: %s', (_, annotate, beginning) => {
    expect(annotate).toThrow(DefinitionError);
    expect(annotate).toThrow(beginning);
    expect(annotate).toThrow('compile with "experimentalDecorators": true');
  });
});
