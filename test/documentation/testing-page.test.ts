import { expect, it } from 'vitest';

import { GuidePackage } from './guide-package.ts';

it('The tests of the page about testing pass in the package of the quick start', { timeout: 180_000 }, async () => {
  await using guide = await GuidePackage.create([
    ['build/quick-start.md', /\.json$/],
    ['build/testing.md', /./],
  ]);
  await guide.run('npm', 'run', 'build');
  const { stdout } = await guide.run('npm', 'test');
  expect(stdout).toMatch(/Test Files +3 passed \(3\)\n +Tests +14 passed \(14\)/);
});
