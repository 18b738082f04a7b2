import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { compileGlob, compileNames } from '../../src/policy/glob.ts';
import { compileGlobs, createPolicy } from '../../src/policy/policy.ts';
import { walkDenials } from '../../src/policy/walk-denials.ts';

const NAMES = [
  '',
  'a',
  'ab',
  'b',
  '.env',
  '.env.local',
  '.envrc',
  'x.env',
  'key.pem',
  '.pem',
  'id_rsa',
  'id_rsa.pub',
  'a\nb.pem',
  'a+b',
];

describe('compileNames', () => {
  it('matches exactly the names that one of the globs matches', () => {
    const globs = ['.env', '.env.*', '*.{pem,key}', 'id_{rsa,dsa}*', 'a?', '[b-c]', '*a*b*', 'a+b', '{x}', String.raw`\*`, '*.'];
    for (const glob of globs)
      expect(NAMES.filter(compileNames({ patterns: [glob] }))).toEqual(NAMES.filter((name) => compileGlob(glob)(name)));
    expect(NAMES.filter(compileNames({ patterns: globs }))).toEqual(
      NAMES.filter((name) => globs.some((glob) => compileGlob(glob)(name))),
    );
    expect(NAMES.filter(compileNames({ patterns: [] }))).toEqual([]);
    expect(NAMES.filter(compileNames({ patterns: [''] }))).toEqual(['']);
  });
});

describe('walkDenials', () => {
  it.each([
    ['a directory of a root', '/r/src', ['a', '.env', 'x.pem', 'id.pub', 'private']],
    ['a root itself', '/r', ['a', '.env', 'secret', 'docs', 'config.json']],
    ['the parent of a hidden directory', '/r/src', ['state', 'states', '.env']],
    ['a name in another normal form', '/r/src', ['cafe\u0301', 'caf\u00e9', 'cafe']],
    ['a directory below a glob with a slash', '/r/docs', ['config.json', 'other.json']],
    ['a nested root', '/r/nested', ['docs', '.env', 'config.json']],
    ['the parent of a nested root', '/r', ['nested', 'docs']],
    ['a directory outside all roots', '/elsewhere', ['.env', 'a']],
  ])('agrees with the policy in %s', (_, directory, names) => {
    const roots = ['/r', '/r/nested'].map((root) => ({ path: root, realPath: root }));
    const deny = ['caf\u00e9', '.env', '*.pem', 'secret', 'docs/config.json', '**/private', '/nested/docs/', 'nested'];
    const allow = ['docs/other.json', 'x.pem'];
    const hidden = ['/r/src/state'];
    const { explainDenial } = createPolicy(roots, compileGlobs({ deny, denyAnywhere: [], allow }), hidden);
    const expected = names.filter((name) => explainDenial(path.join(directory, name)) !== undefined);
    expect(names.filter(walkDenials({ roots, deny, denyAnywhere: [], allow, hidden }).inDirectory(directory))).toEqual(expected);
  });

  it.each(['{a{x,y}/b,c}', String.raw`{a\}/b,c}`, '{config-{dev,prod}/keys,c}'])('denies what the glob %s matches', (glob) => {
    const roots = [{ path: '/srv', realPath: '/srv' }];
    const globs = { deny: [glob], denyAnywhere: [], allow: [] };
    expect(walkDenials({ roots, hidden: [], ...globs }).inDirectory('/srv')('c')).toBe(true);
    expect(createPolicy(roots, compileGlobs(globs), []).explainDenial('/srv/c')).toContain('denies');
  });

  it('hides a directory in a parent whose folded name contains a slash', () => {
    const roots = [{ path: '/srv', realPath: '/srv' }];
    const { inDirectory } = walkDenials({ roots, hidden: ['/srv/\u2100/state'], deny: [], denyAnywhere: [], allow: [] });
    expect(inDirectory('/srv/\u2100')('state')).toBe(true);
  });

  it('agrees with the policy in each directory of a walk', () => {
    const roots = [{ path: '/r', realPath: '/r' }];
    const globs = { deny: ['.env', 'private', 'docs/old'], denyAnywhere: ['.ssh'], allow: ['private/open', 'docs/old/open'] };
    const { explainDenial } = createPolicy(roots, compileGlobs(globs), []);
    const { inDirectory } = walkDenials({ roots, hidden: [], ...globs });
    const names = ['a', '.env', '.ENV~', 'private', 'old', 'open', '.ssh'];
    const directories = [
      '/r',
      '/r/a',
      '/r/docs',
      '/r/a/b',
      '/r/a/c',
      '/r/private/open',
      '/r/docs/old/open',
      '/r/docs',
      '/r/a/open',
    ];
    for (const directory of directories) {
      const expected = names.filter((name) => explainDenial(path.join(directory, name)) !== undefined);
      expect([directory, ...names.filter(inDirectory(directory))]).toEqual([directory, ...expected]);
    }
  });

  it('denies the file trees of the kernel in the root directory', () => {
    const isDenied = walkDenials({
      roots: [{ path: '/', realPath: '/' }],
      deny: [],
      denyAnywhere: [],
      allow: [],
      hidden: [],
    }).inDirectory('/');
    expect(['proc', 'sys', 'dev', 'home'].filter(isDenied)).toEqual(['proc', 'sys', 'dev']);
  });
});
