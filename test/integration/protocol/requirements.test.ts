import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { AREAS } from './areas.ts';
import { CELLS, since, type Cell } from './messages/cells.ts';
import { holdsFor, REQUIREMENTS, type RequirementId } from './requirements/requirements.ts';

interface Declared {
  readonly name: string;
  readonly cited: readonly RequirementId[];
  readonly isRun: boolean;
}

/** Lists every test that is declared for a revision and a transport, without running the tests. */
function declaredFor(cell: Cell): readonly Declared[] {
  const declared: Declared[] = [];
  for (const [area, declare] of Object.entries(AREAS)) {
    declare((title, cited) => {
      declared.push({ name: `${area} ${title} (${cited.join()})`, cited, isRun: cited.every((id) => holdsFor(id, cell)) });
    }, cell);
  }
  return declared;
}

const IDS = Object.keys(REQUIREMENTS) as readonly RequirementId[];

describe('a requirement', () => {
  it.each(CELLS)(
    'is covered by a test for every revision and transport to which it applies: $revision over $transport',
    (cell) => {
      const shown = new Set(declaredFor(cell).flatMap(({ cited, isRun }) => (isRun ? cited : [])));
      expect(IDS.filter((id) => holdsFor(id, cell) && !shown.has(id))).toEqual([]);
    },
  );

  it('applies to at least one revision and transport', () => {
    expect(IDS.filter((id) => !CELLS.some((cell) => holdsFor(id, cell)))).toEqual([]);
  });

  it.each(Object.entries(REQUIREMENTS))('has a short text and a section of the specification: %s', (_, requirement) => {
    const { from = '2024-11-05', until = '2026-07-28', section } = requirement;
    expect('must' in requirement ? requirement.must : requirement.should).toMatch(/^[a-z].{10,120}[^.]$/);
    expect(section).toMatch(/^(basic|changelog|client|server)[/#a-z0-9-]*$/);
    expect(since(until, from)).toBe(true);
  });
});

describe('a test', () => {
  const declared = CELLS.flatMap(declaredFor);

  it('cites at least one requirement, and only existing ones', () => {
    expect(declared.filter(({ cited }) => cited.length === 0)).toEqual([]);
    expect(declared.flatMap(({ cited }) => cited).filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
  });

  it('runs for at least one revision and transport', () => {
    const run = new Set(declared.flatMap(({ name, isRun }) => (isRun ? [name] : [])));
    expect(declared.map(({ name }) => name).filter((name) => !run.has(name))).toEqual([]);
  });
});

describe('an area', () => {
  it('is registered in areas.ts', () => {
    const files = readdirSync(new URL('areas/', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(Object.keys(AREAS)).toHaveLength(files.length);
  });
});
