import { IsString, Validate, ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { McpServer, Prompt, RequestContext, Tool, compileServer, type Constructor } from '../../src/index.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

@ValidatorConstraint({ name: 'isThere', async: true })
class LaterConstraint implements ValidatorConstraintInterface {
  validate(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
class Unannotated {
  @IsString() path!: string;
  limit = 1;
}
@McpServer(NAMED)
class UnannotatedInput {
  @Tool({ description: 'Read a note' }) read(_input: Unannotated): void {}
}
class Nothing {
  path!: string;
}
@McpServer(NAMED)
class NothingAnnotated {
  @Tool({ description: 'Read a note' }) read(_input: Nothing): void {}
}
class Named {
  @IsString() name!: string;
}
@McpServer(NAMED)
class ContextFirst {
  @Tool({ description: 'Read a note' }) read(_context: RequestContext, _input: Named): void {}
  @Prompt({}) review(_context: RequestContext, _input: Named): void {}
}
class Later {
  @Validate(LaterConstraint) path!: string;
  @IsString() name!: string;
}
@McpServer(NAMED)
class AsyncValidator {
  @Tool({ description: 'Read a note' }) read(_input: Later): void {}
}

describe('an input that cannot be used', () => {
  it.each<[string, Constructor, readonly string[]]>([
    [
      'a property without annotation',
      UnannotatedInput,
      ['UnannotatedInput.read: Unannotated.limit: has no annotation; add @Field or a rule of class-validator'],
    ],
    [
      'an input class without annotations',
      NothingAnnotated,
      ['NothingAnnotated.read: Nothing: has no annotated property; add @Field and a rule of class-validator'],
    ],
    [
      'the context as the first of two parameters',
      ContextFirst,
      [
        'ContextFirst.read: its first parameter is the context; write (input, context)',
        'ContextFirst.review: its first parameter is the context; write (input, context)',
      ],
    ],
    [
      'an asynchronous validator',
      AsyncValidator,
      ['AsyncValidator.read: Later.path: the validator isThere is asynchronous, which is not supported'],
    ],
  ])('is reported: %s', (_, target, expected) => {
    const compile = (): unknown => compileServer(target);
    for (const problem of expected) expect(compile).toThrow(problem);
  });
});
