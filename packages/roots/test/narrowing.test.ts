import { mkdir, symlink, writeFile } from 'node:fs/promises';
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
        "open the client in one of the server's directories, or start the server with --roots overlap",
      ].join('\n'),
    });
  });

  it.each([
    ['control characters', 'file:///a%0Ab%1B%5B2J', String.raw`("/a\nb\u001b[2J")`],
    ['a character that turns the text around', 'file:///a%E2%80%AEb', String.raw`("/a\u202eb")`],
    ['characters of no width in what is no file: URI', 'x:a\u200B\nb', String.raw`"x:a\u200b\nb" is not a file: URI`],
    ['what ends a list', 'file:///a),(b, c', '("/a),(b, c")'],
  ])('shows %s in roots', async (_, uri, shown) => {
    const { roots } = await apart(uri);
    expect(roots.narrowing?.text).toContain(shown);
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

describe('the cause of a refusal', () => {
  it.each([
    ['no file: URI', ['vscode-remote://host/x'], 'vscode-remote://host/x is not a file: URI', 'overlap'],
    ['no valid URI', ['file://%zz'], 'file://%zz is not a valid file: URI', 'overlap'],
    ['a directory that was deleted', ['SERVED/gone'], 'SERVED/gone does not exist', 'off'],
    ['a file', ['SERVED/file'], 'SERVED/file is not a directory', 'off'],
    ['several of these', ['x:a', 'SERVED/gone'], 'x:a is not a file: URI; SERVED/gone does not exist', 'off'],
    [
      'more than three',
      ['x:a', 'x:b', 'x:c', 'x:d'],
      'x:a is not a file: URI; x:b is not a file: URI; x:c is not a file: URI; 1 more are unusable',
      'overlap',
    ],
  ])('is what makes a root unusable: %s', async (_, given, cause, use) => {
    const { served } = await apart();
    await writeFile(path.join(served, 'file'), '');
    const uris = given.map((root) => (root.startsWith('SERVED') ? pathToFileURL(root.replace('SERVED', served)).href : root));
    const { narrowing } = await (await opened([served])).narrowedTo(uris);
    expect(narrowing?.text).toBe(
      `the client's roots leave none of the server's directories (${served}): ${cause.replaceAll('SERVED', served)}, so no path is allowed\nopen the client in one of the server's directories, or start the server with --roots ${use}`,
    );
  });

  it('is both that roots exclude the directories and that others are unusable', async () => {
    const { served, roots } = await apart('file:///beside', 'x:a');
    expect(roots.narrowing?.text).toContain(
      `the client's roots (/beside) exclude the server's directories (${served}); x:a is not a file: URI, so no path`,
    );
  });

  it('is the same whether a root elsewhere exists or not', async () => {
    const elsewhere = await temporaryDirectory();
    const there = await apart(pathToFileURL(elsewhere).href);
    const missing = await apart(pathToFileURL(path.join(elsewhere, 'gone')).href);
    const textOf = ({ served, roots }: typeof there): string | undefined => roots.narrowing?.text.replace(served, 'SERVED');
    expect(textOf(missing)).toBe(textOf(there)?.replace(elsewhere, path.join(elsewhere, 'gone')));
  });

  it('comes without a weaker use of roots if the server requires roots', async () => {
    const { served } = await apart();
    const { narrowing } = await (await opened([served])).narrowedTo(['file:///beside'], { isRequired: true });
    expect(narrowing?.text.split('\n')[1]).toBe(
      "open the client in one of the server's directories, or add one as a root, which --roots only requires",
    );
  });
});

describe('roots that overlap no directory', () => {
  it('leave the directories as they are if they are to be kept', async () => {
    const { served } = await apart();
    const roots = await (await opened([served])).narrowedTo(['file:///beside'], { ifApart: 'keep' });
    expect(roots.directories).toMatchObject([{ path: served, from: 'operator' }]);
    expect(roots.narrowing).toEqual({
      outcome: 'kept',
      text: `the client's roots (/beside) do not overlap the server's directories (${served}); because of --roots overlap, all directories of the server stay allowed\n--roots narrow would refuse every path instead`,
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
