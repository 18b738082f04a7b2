import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { SYNCHRONOUS_CALLS } from '../../src/pinning/file-system-calls.ts';
import { findListedName } from '../../src/pinning/listed-name.ts';
import { temporaryDirectory } from '../fixtures.ts';

describe('findListedName', () => {
  it.each(['1699:2,S', 'note.', 'note ', 'x. .'])(
    'does not read the directory of %j unless the name may be an alias',
    async (name) => {
      const directory = await temporaryDirectory();
      await writeFile(path.join(directory, name), '');
      let reads = 0;
      const counted = {
        ...SYNCHRONOUS_CALLS,
        readdir: (of: string) => {
          reads += 1;
          return SYNCHRONOUS_CALLS.readdir(of);
        },
      };
      expect(await findListedName(counted, directory, name)).toBe(name);
      expect(reads).toBe(0);
      await writeFile(path.join(directory, name.slice(0, name.search(/[:. ]/))), '');
      expect(await findListedName(counted, directory, name)).toBe(name);
      expect(reads).toBe(1);
    },
  );
});
