import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Area, Given } from './client/area.ts';
import { AREAS } from './areas.ts';
import { CELLS, type Cell, type Transport } from './messages/cells.ts';
import { holdsFor } from './requirements/requirements.ts';
import { serve } from './client/served.ts';

type Test = readonly [title: string, run: (given: Given) => Promise<void>];

/** Runs the tests of every revision over a transport, with one client for each revision. */
export function testCells(transport: Transport): void {
  const cells = CELLS.filter((cell) => cell.transport === transport).map((cell) => [cell.revision, cell] as const);
  describe.each(cells)(`a server on protocol version %s over ${transport}`, (_, cell) => {
    const given = shared(cell);
    describe.each(testsIn(cell))('%s', (_, tests) => {
      it.each(tests)('%s', (_, run) => run(given()));
    });
  });
}

/** Returns the tests that apply to a revision and a transport, by area. */
function testsIn(cell: Cell): readonly (readonly [area: string, tests: readonly Test[]])[] {
  const all = Object.entries(AREAS).map(([name, area]) => [name, testsOf(area, cell)] as const);
  return all.filter(([, tests]) => tests.length > 0);
}

function testsOf(area: Area, cell: Cell): readonly Test[] {
  const tests: Test[] = [];
  area((title, cited, run) => {
    if (cited.every((id) => holdsFor(id, cell))) tests.push([title, run]);
  }, cell);
  return tests;
}

/**
 * Provides a server and a client to the tests of a revision and a transport. Fails a test in which the client receives a
 * message of a wrong shape.
 */
function shared(cell: Cell): () => Given {
  let given: Given | undefined;
  beforeAll(async () => {
    const served = await serve(cell);
    given = { served, client: await served.connect() };
  });
  afterEach(() => expect(given?.client.violations.splice(0)).toEqual([]));
  afterAll(async () => {
    await given?.client[Symbol.asyncDispose]();
    await given?.served[Symbol.asyncDispose]();
  });
  return () => {
    if (given === undefined) throw new Error('the server is not there');
    return given;
  };
}
