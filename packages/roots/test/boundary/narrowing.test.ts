import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import type { Roots } from '../../src/index.ts';
import { openRoots, temporaryDirectory } from '../fixtures.ts';

/**
 * Opens the operator's directory `served` for a client with roots outside it. Without arguments, the client has one root:
 * `beside`, a sibling of `served`.
 */
async function refuseApart(...uris: readonly string[]): Promise<{ readonly served: string; readonly roots: Roots }> {
  const base = await temporaryDirectory();
  const served = path.join(base, 'served');
  await mkdir(served);
  const roots = await openRoots([served]);
  return { served, roots: await roots.narrowedTo(uris.length > 0 ? uris : [pathToFileURL(base).href.concat('/beside')]) };
}

function refusalOf(roots: Roots): Promise<unknown> {
  return roots.resolveExisting('/elsewhere').catch((error: unknown) => error);
}

describe('the text of a refusal', () => {
  it('lists the roots of the client, the directories of the operator and the remedy', async () => {
    const { served, roots } = await refuseApart();
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
    ['a bidirectional control character', 'file:///a%E2%80%AEb', String.raw`("/a\u202eb")`],
    ['zero-width characters in a URI that is not a file: URI', 'x:a\u200B\nb', String.raw`"x:a\u200b\nb" is not a file: URI`],
    ['characters that end a list', 'file:///a),(b, c', '("/a),(b, c")'],
  ])('shows %s in roots', async (_, uri, shown) => {
    const { roots } = await refuseApart(uri);
    expect(roots.narrowing?.text).toContain(shown);
    expect(roots.narrowing?.text.split('\n')).toHaveLength(2);
  });

  it('lists five roots and counts the others', async () => {
    const { roots } = await refuseApart(...Array.from({ length: 1000 }, (_, index) => `file:///r${index}`));
    expect(roots.narrowing?.text).toContain("the client's roots (/r0, /r1, /r2, /r3, /r4 and 995 more) exclude");
  });

  it('has at most 8,000 characters for any roots', async () => {
    const longest = `file:///${'%E2%80%AE'.repeat(1800)}`;
    const { roots } = await refuseApart(...Array.from({ length: 1000 }, () => longest));
    expect(String(Reflect.get(Object(await refusalOf(roots)), 'text')).length).toBeLessThan(8000);
  });

  it('lists five directories and counts the others', async () => {
    const base = await temporaryDirectory();
    const names = ['1', '2', '3', '4', '5', '6', '7'].map((name) => path.join(base, name));
    for (const name of names) await mkdir(name);
    const shown = names.slice(0, 5).join(', ');
    expect(await refusalOf(await openRoots(names))).toMatchObject({ hint: `allowed: ${shown} and 2 more` });
  });
});

describe('the cause of a refusal', () => {
  it.each([
    ['a URI that is not a file: URI', ['vscode-remote://host/x'], 'vscode-remote://host/x is not a file: URI', 'overlap'],
    ['an invalid URI', ['file://%zz'], 'file://%zz is not a valid file: URI', 'overlap'],
    ['a deleted directory', ['SERVED/gone'], 'SERVED/gone does not exist', 'off'],
    ['a file', ['SERVED/file'], 'SERVED/file is not a directory', 'off'],
    ['several of these faults', ['x:a', 'SERVED/gone'], 'x:a is not a file: URI; SERVED/gone does not exist', 'off'],
    [
      'more than three',
      ['x:a', 'x:b', 'x:c', 'x:d'],
      'x:a is not a file: URI; x:b is not a file: URI; x:c is not a file: URI; 1 more root is unusable',
      'overlap',
    ],
  ])('names the fault of an unusable root: %s', async (_, given, cause, use) => {
    const { served } = await refuseApart();
    await writeFile(path.join(served, 'file'), '');
    const uris = given.map((root) => (root.startsWith('SERVED') ? pathToFileURL(root.replace('SERVED', served)).href : root));
    const { narrowing } = await (await openRoots([served])).narrowedTo(uris);
    expect(narrowing?.text).toBe(
      `the client's roots allow none of the server's directories (${served}): ${cause.replaceAll('SERVED', served)}, so no path is allowed\nopen the client in one of the server's directories, or start the server with --roots ${use}`,
    );
  });

  it('names the roots that exclude the directories and the unusable ones', async () => {
    const { served, roots } = await refuseApart('file:///beside', 'x:a');
    expect(roots.narrowing?.text).toContain(
      `the client's roots (/beside) exclude the server's directories (${served}); x:a is not a file: URI, so no path`,
    );
  });

  it('does not depend on whether a root elsewhere exists', async () => {
    const elsewhere = await temporaryDirectory();
    const there = await refuseApart(pathToFileURL(elsewhere).href);
    const missing = await refuseApart(pathToFileURL(path.join(elsewhere, 'gone')).href);
    const textOf = ({ served, roots }: typeof there): string | undefined => roots.narrowing?.text.replace(served, 'SERVED');
    expect(textOf(missing)).toBe(textOf(there)?.replace(elsewhere, path.join(elsewhere, 'gone')));
  });

  it('does not recommend a weaker use of roots if the server requires roots', async () => {
    const { served } = await refuseApart();
    const { narrowing } = await (await openRoots([served])).narrowedTo(['file:///beside'], { isRequired: true });
    expect(narrowing?.text.split('\n')[1]).toBe(
      "open the client in one of the server's directories, or add one of them as a root, because the server requires roots (--roots only)",
    );
  });
});

describe('roots that overlap no directory', () => {
  it('leave the directories unchanged with ifApart: keep', async () => {
    const { served } = await refuseApart();
    const roots = await (await openRoots([served])).narrowedTo(['file:///beside'], { ifApart: 'keep' });
    expect(roots.directories).toMatchObject([{ path: served, from: 'operator' }]);
    expect(roots.narrowing).toEqual({
      outcome: 'kept',
      text: `the client's roots (/beside) do not overlap the server's directories (${served}); because of --roots overlap, all directories of the server stay allowed\n--roots narrow would deny every path instead`,
    });
  });

  it.each(['/served/../served', '/%2e%2e/served', '/%00'])(
    'exclude the directories if a file: URI contains no valid path: %s',
    async (rest) => {
      const { served } = await refuseApart();
      for (const scheme of ['file://', 'FILE://']) {
        const roots = await (await openRoots([served])).narrowedTo([scheme + rest], { ifApart: 'keep' });
        expect(roots.directories).toEqual([]);
      }
    },
  );

  it('overlap as soon as a directory that was missing at the start exists, even through a link', async () => {
    const base = await temporaryDirectory();
    const [real, link] = [path.join(base, 'real'), path.join(base, 'link')];
    await mkdir(real);
    const roots = await openRoots([path.join(link, 'late')]);
    await mkdir(path.join(real, 'late/sub'), { recursive: true });
    await symlink(real, link);
    const uri = pathToFileURL(path.join(real, 'late/sub')).href;
    const call = await roots.narrowedTo([uri], { ifApart: 'keep' });
    expect(call.directories).toMatchObject([{ path: path.join(real, 'late/sub'), from: 'client' }]);
  });

  it('are the boundary if the operator named no directory, even if no root exists', async () => {
    const roots = await (await openRoots([])).narrowedTo(['file:///missing'], { ifApart: 'keep' });
    expect(roots.directories).toEqual([]);
    expect(roots.narrowing).toMatchObject({ outcome: 'excluded', text: expect.stringContaining('(/missing)') });
  });
});
