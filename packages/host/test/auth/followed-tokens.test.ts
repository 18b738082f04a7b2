import type { AuthInfo } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';

import { FollowedTokens } from '../../src/auth/followed-tokens.ts';
import type { TokenSource } from '../../src/auth/token-source.ts';

const NOW = Math.floor(Date.now() / 1000);
const ADA: AuthInfo = { token: 'a', clientId: 'ada', scopes: ['read'], expiresAt: NOW + 3600 };

const UNCHECKED: TokenSource = {
  issuer: undefined,
  verifyAccessToken: () => Promise.reject(new Error('not verified again')),
  diagnose: () => Promise.resolve({ subject: 'tokens', ok: true, detail: '' }),
};

describe('a token that expired after its verification', () => {
  it('ends every follower at once', () => {
    const followed = new FollowedTokens(UNCHECKED);
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const unfollow = followed.follow({ ...ADA, expiresAt: NOW - 1 }, first);
    followed.follow({ ...ADA, expiresAt: NOW - 1 }, second);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    unfollow();
    expect(first).toHaveBeenCalledOnce();
  });
});
