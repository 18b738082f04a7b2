import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import type { Roots } from '../src/index.ts';
import { opened, temporaryDirectory } from './ground.ts';

/** A client whose roots lie beside the directory of the operator, `served`. */
async function apart(...uris: readonly string[]): Promise<{ readonly served: string; readonly roots: Roots }> {
  const base = await temporaryDirectory();
  const served = path.join(base, 'served');
  await mkdir(served);
  const roots = await opened([served]);
  return { served, roots: await roots.narrowedTo(uris.length > 0 ? uris : [pathToFileURL(base).href.concat('/beside')]) };
}

function refusalOf(roots: Roots): Promise<unknown> {
  return roots.existing('/elsewhere').catch((error: unknown) => error);
}

describe('the text of a refusal', () => {
  it('names the roots of the client, the directories of the operator and the remedy', async () => {
    const { served, roots } = await apart();
    expect(await refusalOf(roots)).toMatchObject({
      text: [
        'PATH_OUTSIDE_ROOTS: "/elsewhere" is not inside the allowed directories',
        `the client's roots (${path.join(path.dirname(served), 'beside')}) exclude the server's directories (${served}), so no path is allowed`,
        'open the client in one of these directories, or start the server with --roots overlap',
      ].join('\n'),
    });
  });

  it.each([
    ['control characters', 'file:///a%0Ab%1B%5B2J', String.raw`("/a\nb\u001b[2J")`],
    ['a character that turns the text around', 'file:///a%E2%80%AEb', String.raw`("/a\u202eb")`],
    ['characters of no width in what is no file: URI', 'x:a\u200B\nb', String.raw`("x:a\u200b\nb")`],
    ['what ends a list', 'file:///a),(b, c', '("/a),(b, c")'],
  ])('shows %s in roots', async (_, uri, shown) => {
    const { roots } = await apart(uri);
    expect(roots.narrowing?.text).toContain(`the client's roots ${shown} exclude`);
    expect(roots.narrowing?.text.split('\n')).toHaveLength(2);
  });

  it('names five roots and counts the others', async () => {
    const { roots } = await apart(...Array.from({ length: 1000 }, (_, index) => `file:///r${index}`));
    expect(roots.narrowing?.text).toContain("the client's roots (/r0, /r1, /r2, /r3, /r4 and 995 more) exclude");
  });

  it('has at most 8,000 characters, whatever the roots are', async () => {
    const longest = `file:///${'%E2%80%AE'.repeat(1800)}`;
    const { roots } = await apart(...Array.from({ length: 1000 }, () => longest));
    expect(String(Reflect.get(Object(await refusalOf(roots)), 'text')).length).toBeLessThan(8000);
  });

  it('names five directories and counts the others', async () => {
    const base = await temporaryDirectory();
    const names = ['1', '2', '3', '4', '5', '6', '7'].map((name) => path.join(base, name));
    for (const name of names) await mkdir(name);
    const shown = names.slice(0, 5).join(', ');
    expect(await refusalOf(await opened(names))).toMatchObject({ hint: `allowed: ${shown} and 2 more` });
  });
});

describe('roots that overlap no directory', () => {
  it('leave the directories as they are if they are to be kept', async () => {
    const { served } = await apart();
    const roots = await (await opened([served])).narrowedTo(['file:///beside'], { ifApart: 'keep' });
    expect(roots.directories).toMatchObject([{ path: served, from: 'operator' }]);
    expect(roots.narrowing).toEqual({
      outcome: 'kept',
      text: `the client's roots (/beside) do not overlap the server's directories (${served}); --roots overlap allows all of these then\nopen the client in one of these directories, or start the server with --roots narrow`,
    });
  });

  it.each(['/served/../served', '/%2e%2e/served', '/%00'])(
    'exclude the directories if a file: URI names no path: %s',
    async (rest) => {
      const { served } = await apart();
      for (const scheme of ['file://', 'FILE://']) {
        const roots = await (await opened([served])).narrowedTo([scheme + rest], { ifApart: 'keep' });
        expect(roots.directories).toEqual([]);
      }
    },
  );

  it('overlap as soon as a directory that was missing at the start is there, by whatever link', async () => {
    const base = await temporaryDirectory();
    const [real, link] = [path.join(base, 'real'), path.join(base, 'link')];
    await mkdir(real);
    const roots = await opened([path.join(link, 'late')]);
    await mkdir(path.join(real, 'late/sub'), { recursive: true });
    await symlink(real, link);
    const uri = pathToFileURL(path.join(real, 'late/sub')).href;
    const call = await roots.narrowedTo([uri], { ifApart: 'keep' });
    expect(call.directories).toMatchObject([{ path: path.join(real, 'late/sub'), from: 'client' }]);
  });

  it('are the boundary where the operator named no directory, even if there is nothing', async () => {
    const roots = await (await opened([])).narrowedTo(['file:///missing'], { ifApart: 'keep' });
    expect(roots.directories).toEqual([]);
    expect(roots.narrowing).toMatchObject({ outcome: 'excluded', text: expect.stringContaining('(/missing)') });
  });
});
