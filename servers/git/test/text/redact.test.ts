import { describe, expect, it } from 'vitest';

import { redactSecrets } from '../../src/text/redact.ts';

describe('a text with URLs', () => {
  it.each([
    ['https://ann:t0ken@example.com/x', 'https://ann:***@example.com/x'],
    ['https://ann:t0@k:en@example.com/x', 'https://ann:***@example.com/x'],
    ['https://ghp_0123456789abcdef@example.com', 'https://***@example.com'],
    ['https://ghp_0123456789abcdef:x-oauth-basic@example.com', 'https://***:***@example.com'],
    ["unable to access 'https://ann:t0ken@example.com/x': no", "unable to access 'https://ann:***@example.com/x': no"],
    ['https://example.com/x?a=b&access_token=t0ken#y', 'https://example.com/x?a=b&access_token=***#y'],
    ['one ssh://git@example.com/x two HTTP://a:b@c', 'one ssh://git@example.com/x two HTTP://a:***@c'],
    ['git@example.com:team/x.git', 'git@example.com:team/x.git'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
    ['?a=x?token=t0ken', '?a=x?token=***'],
    ['/key?token=a=b&c=d&password=p', '/key?token=***&c=d&password=***'],
    ['key=value token=t0ken', 'key=value token=t0ken'],
    ['?token=', '?token='],
    ["'?token=a'b?key=c'", "'?token=***'b?key=***'"],
    ['?token=a?key=b', '?token=***'],
  ])('is shown without passwords and tokens: %s', (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });
});
