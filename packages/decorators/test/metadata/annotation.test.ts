import { describe, expect, it } from 'vitest';

import {
  annotateCompletion,
  annotateDisabled,
  annotateFeature,
  annotateField,
  annotateMember,
  annotateServer,
  readCompletionAnnotations,
  readDisabledMembers,
  readFeatureAnnotations,
  readFieldAnnotations,
  readMemberAnnotations,
  readServerAnnotation,
} from '../../src/metadata/annotation.ts';
import { DefinitionError } from '../../src/metadata/definition-error.ts';

class Base {}
class Left extends Base {}
class Right extends Base {}

describe('an annotation', () => {
  it('belongs to its own prototype only', () => {
    annotateMember(Base.prototype, 'shared', { kind: 'tool', options: { description: 'base' } });
    annotateMember(Left.prototype, 'shared', { kind: 'tool', options: { description: 'left' } });
    annotateField(Left.prototype, 'path', { description: 'left' });
    annotateServer(Left.prototype, { name: 'left' });
    annotateCompletion(Left.prototype, 'paths', { prompt: 'review', argument: 'path' });
    annotateFeature(Left.prototype, 'search', {});
    annotateDisabled(Left.prototype, 'shared');

    expect(readMemberAnnotations(Base.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'base' } }]);
    expect(readMemberAnnotations(Left.prototype).get('shared')).toEqual([{ kind: 'tool', options: { description: 'left' } }]);
    expect(readMemberAnnotations(Right.prototype)).toEqual(new Map());
    expect([Base, Left, Right].map(({ prototype }) => readFieldAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => readCompletionAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => readFeatureAnnotations(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => readDisabledMembers(prototype).size)).toEqual([0, 1, 0]);
    expect([Base, Left, Right].map(({ prototype }) => readServerAnnotation(prototype)?.name)).toEqual([
      undefined,
      'left',
      undefined,
    ]);
  });

  it('is added to other annotations of the same method', () => {
    class Notes {}
    annotateMember(Notes.prototype, 'index', { kind: 'resource', options: { uri: 'notes://index' } });
    annotateMember(Notes.prototype, 'index', { kind: 'tool', options: { description: 'List the notes' } });
    expect(
      readMemberAnnotations(Notes.prototype)
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
      'a class: @Tool decorates',
    ],
    ['a standard field decorator', () => annotateField(standard, context, {}), 'a class: @Field decorates'],
    [
      'a symbol',
      () => annotateMember(Base.prototype, Symbol('read'), { kind: 'prompt', options: {} }),
      'Base: @Prompt decorates',
    ],
  ])('is rejected at once with the remedy experimentalDecorators: %s', (_, annotate, beginning) => {
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
  ])('is rejected at once: %s', (decorator, annotate) => {
    expect(annotate).toThrow(DefinitionError);
    expect(annotate).toThrow(`Notes.read: ${decorator} decorates a static member; remove "static"`);
  });
});
