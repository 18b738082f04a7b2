import { describe, expect, it } from 'vitest';

import { UriTemplate } from '../../src/compile/uri-template.ts';

function parsed(template: string): UriTemplate {
  const result = UriTemplate.parse(template);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

describe('a URI template', () => {
  it('lists the names of its variables in order', () => {
    expect(parsed('db://{schema}/{+path}#{row}').names).toEqual(['schema', 'path', 'row']);
    expect(parsed('db://{schema}{?table,row}').names).toEqual(['schema', 'table', 'row']);
  });

  it.each<[string, string, Record<string, string>]>([
    ['notes://{name}', 'notes://a', { name: 'a' }],
    ['notes://{name}/text', 'notes://a/text', { name: 'a' }],
    ['notes://{+path}', 'notes://a/b?c#d', { path: 'a/b?c#d' }],
    ['db://{schema}/{table}', 'db://public/users', { schema: 'public', table: 'users' }],
    ['notes://{+path}', 'notes://', { path: '' }],
    ['{+path}.{extension}', '.c', { path: '', extension: 'c' }],
    ['notes://{+path}/raw', 'notes://a/raw/raw', { path: 'a/raw' }],
    ['notes://{+path}', 'notes://a\nb', { path: 'a\nb' }],
    ['notes://{folder}/{+path}/v{version}', 'notes://a/b/vc/v1', { folder: 'a', path: 'b/vc', version: '1' }],
    ['geo:{latitude},{longitude}', 'geo:1,-2', { latitude: '1', longitude: '-2' }],
    ['{+path}.{extension}', 'a.b.c', { path: 'a.b', extension: 'c' }],
    ['v1.0+(x)://[{id}]', 'v1.0+(x)://[7]', { id: '7' }],
    ['notes://{name}{?from,to}', 'notes://a', { name: 'a' }],
    ['notes://{name}{?from,to}', 'notes://a?', { name: 'a' }],
    ['notes://{name}{?from,to}', 'notes://a?to=b%26c', { name: 'a', to: 'b&c' }],
    ['notes://{name}{?from,to}', 'notes://a?to=&from=x/y?z=1', { name: 'a', from: 'x/y?z=1', to: '' }],
  ])('%s matches %o', (template, uri, variables) => {
    expect(parsed(template).match(uri)).toEqual(variables);
  });

  it.each<[string, string]>([
    ['notes://{name}', 'notes://a/b'],
    ['notes://{name}', 'notes://a?b'],
    ['notes://{name}', 'notes://a#b'],
    ['notes://{name}', 'notes://'],
    ['notes://{name}', 'xnotes://a'],
    ['notes://{name}/text', 'notes://a/text/more'],
    ['v1.0://{id}', 'v1x0://7'],
    ['notes://{name}/end', 'notes://end'],
    ['notes://{name}/end', 'notes://a/b/end'],
    ['aa{name}aa', 'aaa'],
    ['{+path}.{extension}', 'a.b/c'],
    ['geo:{latitude},{longitude}', 'geo:1'],
    ['notes://{folder}/{+path}', 'notes://a'],
    ['notes://{name}{?from}', 'notes://?from=a'],
    ['notes://{name}{?from}', 'notes://a?other=b'],
    ['notes://{name}{?from}', 'notes://a?from=b&from=c'],
    ['notes://{name}{?from}', 'notes://a?from'],
    ['notes://{name}{?from}', 'notes://a?from=b#c'],
    ['notes://{name}{?from}', 'notes://a?from=%'],
  ])('%s does not match %o', (template, uri) => {
    expect(parsed(template).match(uri)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['db://{database}/activity', 'db://{database}/{schema}'],
    ['db://{database}/{schema}/ddl', 'db://{database}/{+path}'],
    ['notes://{name}', 'notes://{+path}'],
    ['notes://{id}{?from,to}', 'notes://{+path}'],
  ])('%s is more exact than %s', (exact, general) => {
    expect(parsed(exact).precision).toBeGreaterThan(parsed(general).precision);
  });

  it.each<[string, string, string]>([
    ['a space', 'notes://a%20b', 'a b'],
    ['a separator, in one segment', 'notes://a%2Fb', 'a/b'],
    ['more than ASCII', 'notes://%C3%A4%F0%9F%98%80', 'ä😀'],
    ['what is encoded twice, once', 'notes://a%252Fb', 'a%2Fb'],
  ])('decodes %s', (_, uri, name) => {
    expect(parsed('notes://{name}').match(uri)).toEqual({ name });
  });

  it.each(['notes://%', 'notes://%zz', 'notes://%C3', 'notes://a%E0%A4%A'])(
    'does not match a URI that cannot be decoded: %s',
    (uri) => {
      expect(parsed('notes://{name}').match(uri)).toBeUndefined();
    },
  );

  it.each<[string, string, string]>([
    ['many places where a part could end', 'notes://{a}-{b}-{c}-{d}-{e}.', `notes://${'-'.repeat(100_000)}`],
    ['many places before the end', '{a}/{+b}/x/{c}/x/{d}/x', `${'/x'.repeat(100_000)}/`],
  ])('rejects %s in linear time', (_, template, uri) => {
    expect(parsed(template).match(uri)).toBeUndefined();
  });

  it('returns a variable with a hostile name as an own property', () => {
    expect(Object.entries(parsed('notes://{__proto__}').match('notes://a') ?? {})).toEqual([['__proto__', 'a']]);
  });

  it.each<[string, string]>([
    ['notes://{name}{?query}/more', '{?query} is not supported; write {name}, {+name} or at the end {?name,other}'],
    ['notes://{name}{?query*}', '{?query*} is not supported; write {name}, {+name} or at the end {?name,other}'],
    ['notes://{name*}', '{name*} is not supported; write {name}, {+name} or at the end {?name,other}'],
    ['notes://{a,b}', '{a,b} is not supported; write {name}, {+name} or at the end {?name,other}'],
    ['notes://{}', '{} is not supported; write {name}, {+name} or at the end {?name,other}'],
    ['notes://{a}{?a}', 'it contains {a} twice'],
    ['notes://{+a}{?b}', '{+a} may contain "?", so no query can follow it'],
    ['notes://{a}/{+a}', 'it contains {a} twice'],
    ['notes://{a', 'a brace is not closed or not opened'],
    ['notes://a}', 'a brace is not closed or not opened'],
    ['notes://{a}/{{b}}', 'a brace is not closed or not opened'],
    ['notes://{a}{b}', 'two variables are adjacent'],
    ['notes://{+a}/{+b}', 'it has more than one {+name}'],
    ['notes://index', 'it has no variable outside its query; use uri instead of uriTemplate'],
    ['notes://index{?a}', 'it has no variable outside its query; use uri instead of uriTemplate'],
  ])('describes the mistake in %s', (template, problem) => {
    expect(UriTemplate.parse(template)).toBe(problem);
  });
});
