import { describe, expect, it } from 'vitest';

import { timeoutError } from '../../src/engine.ts';
import { statementTimeoutError } from '../../src/postgres/database/errors/failures.ts';

describe('the error of a timeout', () => {
  it('names the remedies that every engine has', () => {
    const hint = 'narrow the statement, or raise timeout_ms, up to the limit of the operator';
    expect(timeoutError(100)).toMatchObject({ code: 'TIMEOUT', hint, data: { retryable: false } });
  });

  it('names the tools and options of PostgreSQL', () => {
    const hint = expect.stringMatching(/look at its plan with explain, .* --write-timeout for statements that write$/);
    expect(statementTimeoutError(100)).toMatchObject({ code: 'TIMEOUT', hint, data: { sqlstate: '57014', retryable: false } });
  });
});
