import { describe, expect, it } from 'vitest';

import { DefinitionError } from '../../src/errors.ts';
import {
  annotateCompletion,
  annotateDisabled,
  annotateFeature,
  annotateField,
  annotateMember,
  annotateServer,
  completionAnnotations,
  disabledMembers,
  featureAnnotations,
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
    annotateCompletion(Left.prototype, 'paths', { prompt: 'review', argument: 'path' });
    annotateFeature(Left.prototype, 'search', {});
    annotateDisabled(Left.prototype, 'shared');

    expect(memberAnnotations(Base.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'base' } }]);
    expect(memberAnnotations(Left.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'left' } }]);
    expect(memberAnnotations(Right.prototype)).toEqual(new Map());
    expect([Base, Left, Right].map(({ prototype }) => fieldAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => completionAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => featureAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => disabledMembers(prototype).size)).toEqual([0, 1, 0]);
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

describe('a static member', () => {
  class Notes {
    static read(): void {}
  }

  it.each<[string, () => void]>([
    ['@Tool', () => annotateMember(Notes, 'read', { kind: 'tool', options: {} })],
    ['@Resource', () => annotateMember(Notes, 'read', { kind: 'resource', options: {} })],
    ['@Prompt', () => annotateMember(Notes, 'read', { kind: 'prompt', options: {} })],
    ['@Complete', () => annotateCompletion(Notes, 'read', { argument: 'path' })],
    ['@Feature', () => annotateFeature(Notes, 'read', {})],
    ['@Disabled', () => annotateDisabled(Notes, 'read')],
    ['@Field', () => annotateField(Notes, 'read', {})],
  ])('is refused at once: %s', (decorator, annotate) => {
    expect(annotate).toThrow(DefinitionError);
    expect(annotate).toThrow(`Notes.read: ${decorator} stands on a static member; remove "static"`);
  });
});
