import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { DIRECT } from '../../src/hold/calls.ts';
import { listedName } from '../../src/hold/listed-name.ts';
import { temporaryDirectory } from '../ground.ts';

describe('the look-up of a listed name', () => {
  it.each(['1699:2,S', 'note.', 'note ', 'x. .'])(
    'does not read the directory of %j unless the name may be an alias',
    async (name) => {
      const directory = await temporaryDirectory();
      await writeFile(path.join(directory, name), '');
      let reads = 0;
      const counted = {
        ...DIRECT,
        readdir: (of: string) => {
          reads += 1;
          return DIRECT.readdir(of);
        },
      };
      expect(await listedName(counted, directory, name)).toBe(name);
      expect(reads).toBe(0);
      await writeFile(path.join(directory, name.slice(0, name.search(/[:. ]/))), '');
      expect(await listedName(counted, directory, name)).toBe(name);
      expect(reads).toBe(1);
    },
  );
});
