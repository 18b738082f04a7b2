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
